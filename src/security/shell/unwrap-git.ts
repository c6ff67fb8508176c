import { innerCode, type InnerCommand, joinedCode, type Unwrapped } from './inner-command.ts';
import { readOptions } from './read-options.ts';
import type { ShellWord } from './shell-word.ts';

/** Git runs code from its configuration, its options, its URLs and a few subcommands. */
export function unwrapGit(words: readonly ShellWord[]): Unwrapped {
  const globals = readOptions(words, 1, GIT_OPTIONS);
  const settings = globals.options.flatMap(({ name, value }) =>
    name === '-c' && value !== undefined ? setting(value) : [],
  );
  const elsewhere = globals.options.find(({ name }) => name === '--exec-path' || name === '--config-env');
  const subcommand = words[globals.next]?.text ?? '';
  const rest = words.slice(globals.next + 1);
  const commands = [...settings, ...codeInArguments(rest), ...codeInSubcommand(subcommand, rest)];
  const doubt =
    globals.doubt ?? (elsewhere === undefined ? undefined : `${elsewhere.name} can make git run other programs`);
  return { inner: commands, ...(doubt === undefined ? {} : { doubt }) };
}

function codeInSubcommand(subcommand: string, rest: readonly ShellWord[]): readonly InnerCommand[] {
  switch (subcommand) {
    case 'submodule': {
      const place = rest.findIndex((word) => word.text === 'foreach');
      if (place === -1) return [];
      const { next } = readOptions(rest, place + 1, { flags: 'q', longFlags: ['recursive', 'quiet'] });
      return next < rest.length ? [joinedCode('git submodule foreach', rest.slice(next), 'sh')] : [];
    }
    case 'bisect':
      return rest[0]?.text === 'run' && rest.length > 1
        ? [{ type: 'argv', via: 'git bisect run', words: rest.slice(1), assignments: [] }]
        : [];
    case 'config': {
      const place = rest.findIndex((word) => RUNS_CODE.test(word.text));
      const value = place === -1 ? undefined : rest[place + 1];
      return value === undefined ? [] : [code('git config', value)];
    }
    default:
      return [];
  }
}

// `-x` and `-u` mean code only after some subcommands. Reading an ordinary value as code is harmless.
function codeInArguments(rest: readonly ShellWord[]): readonly InnerCommand[] {
  return rest.flatMap((word, place): readonly InnerCommand[] => {
    const attached = /^(--(?:exec|extcmd|upload-pack|receive-pack|[a-z-]+-filter))=([\s\S]+)$/.exec(word.text);
    if (attached !== null) return [code(`git ${attached[1] ?? ''}`, { text: attached[2] ?? '', kind: word.kind })];
    const following = rest[place + 1];
    if (
      following !== undefined &&
      /^(?:-x|--exec|--extcmd|--upload-pack|--receive-pack|--(?:env|tree|index|parent|msg|commit|tag-name)-filter)$/.test(
        word.text,
      )
    ) {
      return [code(`git ${word.text}`, following)];
    }
    if (word.text.startsWith('ext::')) return [code('git ext::', { text: word.text.slice(5), kind: word.kind })];
    return [];
  });
}

function setting(word: ShellWord): readonly InnerCommand[] {
  const [, key = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(word.text) ?? [];
  if (!RUNS_CODE.test(key) && !value.startsWith('!')) return [];
  return [code('git -c', { text: value, kind: word.kind })];
}

function code(via: string, word: ShellWord): InnerCommand {
  return innerCode(via, { text: word.text.replace(/^\s*!/, ''), kind: word.kind }, 'sh');
}

const RUNS_CODE =
  /^(?:alias\..*|pager\..*|core\.(?:pager|editor|sshcommand|fsmonitor|askpass|hookspath|gitproxy)|sequence\.editor|diff\.external|.*\.(?:textconv|command|cmd|clean|smudge|process|driver|helper|program|uploadpack|receivepack)|gpg\.program|credential\.helper)$/i;

/** Options allowed between `git` and its subcommand. */
export const GIT_OPTIONS = {
  flags: 'pPhv',
  values: 'Cc',
  longFlags: [
    'paginate',
    'no-pager',
    'bare',
    'no-replace-objects',
    'literal-pathspecs',
    'glob-pathspecs',
    'noglob-pathspecs',
    'icase-pathspecs',
    'no-optional-locks',
    'no-lazy-fetch',
    'no-advice',
    'version',
    'help',
    'html-path',
    'man-path',
    'info-path',
    'exec-path',
    'config-env',
  ],
  longValues: ['git-dir', 'work-tree', 'namespace', 'super-prefix', 'attr-source'],
};
