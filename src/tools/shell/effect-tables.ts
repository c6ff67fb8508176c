/** The effects of commands. A new line here widens what can be granted, so be sure of every option. */
import type { Effect } from '../../kernel/effect.ts';
import { isCheckName } from './check-name.ts';
import { gitLook } from '../../security/read-only/git-looks.ts';

export interface CommandEffect {
  readonly effect: Effect;
  /** How many words stay fixed in a grant. Absent: all of them. */
  readonly varies?: number;
  readonly once?: true;
  /** The file of this folder that it runs. A grant is pinned to it. */
  readonly script?: Script;
}

export type Script =
  | { readonly type: 'package-script'; readonly name: string }
  | { readonly type: 'file'; readonly file: string }
  /** The first of these that exists. */
  | { readonly type: 'one-of'; readonly files: readonly string[] }
  /** Scripts of several packages. */
  | { readonly type: 'project' };

const words = (text: string): readonly string[] => text.split(' ');
const all = (effect: Effect, names: string) => words(names).map((name): [string, Effect] => [name, effect]);

/** Programs that change files, whatever their options. */
export const EDITS: ReadonlyMap<string, Effect> = new Map([
  ...all('edit', 'mkdir touch cp mv ln tee chmod sed patch truncate gzip gunzip unzip zip'),
  ...all('delete', 'rm rmdir unlink shred srm rimraf'),
  ...all('network', 'curl wget ping dig nslookup host pip pip3 brew apt apt-get dnf yum gem'),
  ...all('send', 'ssh scp sftp rsync nc ncat netcat socat telnet ftp mail sendmail twine'),
]);

type Commands = readonly string[] | 'any' | 'exact';

/** By subcommand. `any` if the program has none. */
export const TOOLCHAINS: ReadonlyMap<string, Commands> = new Map<string, Commands>([
  ['cargo', words('test build check clippy bench doc fmt')],
  ['go', words('test build vet fmt')],
  ['mvn', words('test compile package verify')],
  ['gradle', words('test build check')],
  ['dotnet', words('test build')],
  ['bundle', words('check')],
  ['uv', words('sync')],
  ['turbo', words('run')],
  ...words('make gmake just rake').map((name): [string, 'exact'] => [name, 'exact']),
  ...words('pytest tox mypy ruff black flake8 vitest jest mocha tsc eslint prettier biome oxlint ava').map(
    (name): [string, 'any'] => [name, 'any'],
  ),
]);

/** The first `fixed` words stay fixed. The rest may differ as long as they are plain words and listed options. */
export function varying(words: readonly string[], fixed: number): CommandEffect {
  return words.slice(fixed).every(isPlain) ? { effect: 'build', varies: fixed } : { effect: 'unknown' };
}

function isPlain(word: string): boolean {
  return !word.startsWith('-') || PLAIN_OPTIONS.has(word.replace(/=.*/s, ''));
}

/** Options that don't extend what tests, linters and compilers do. */
const PLAIN_OPTIONS: ReadonlySet<string> = new Set(
  (
    '-- -t -k -v -vv -q -x -s -g -p --run --silent --quiet --verbose --watch --coverage --bail --grep --filter ' +
    '--testNamePattern --test-name-pattern --fix --check --noEmit --release --lib --workspace --workspaces --all ' +
    '--all-targets --all-features --no-fail-fast --short --race -race -run -count -short -failfast --no-coverage ' +
    '--ci --runInBand --passWithNoTests --no-watch --pretty --strict --maxfail --tb --if-present -w --locked --offline ' +
    '--max-warnings --cache --no-cache --nocapture --project --reporter --dots --changed --related --lf --ff --durations --collect-only'
  ).split(' '),
);

export const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(words('npm pnpm yarn bun'));

/** The script that runs in chosen packages of a workspace: `pnpm -r test`, `npm run lint -w packages/a`. */
export function workspaceScript(after: readonly string[]): string | undefined {
  const words: string[] = [];
  let isWorkspace = false;
  for (let index = 0; index < after.length; index += 1) {
    const word = after[index] ?? '';
    const takesName = /^(?:--filter|-F|-w|--workspace)$/.test(word);
    if (takesName && /^[\w@./-]+$/.test(after[index + 1] ?? '')) index += 1;
    else if (!/^(?:-r|--recursive|--workspaces|--(?:filter|workspace)=[\w@./-]+)$/.test(word)) {
      if (!/^(?:--silent|-s|--if-present)$/.test(word)) words.push(word);
      continue;
    }
    isWorkspace = true;
  }
  const [command = '', name = ''] = words;
  const script = /^run(?:-script)?$/.test(command) ? name : command;
  const isWhole = words.length === (script === command ? 1 : 2);
  // Any other word without `run` is a command of the package manager, such as `publish`.
  const isScript = script === command ? isCheckName(script) : /^[\w][\w:.-]*$/.test(script);
  return isWorkspace && isWhole && isScript ? script : undefined;
}

export function packageEffect(after: readonly string[], isRaised: boolean): CommandEffect {
  const [command = '', ...rest] = after;
  if (!isRaised && workspaceScript(after) !== undefined) return { effect: 'build', script: { type: 'project' } };
  if (
    /^(?:publish|unpublish|deprecate|dist-tag|access|owner|token|login|adduser|team|star|profile)$/.test(command)
  )
    return { effect: 'send' };
  if (
    /^(?:install|ci|i|add|update|upgrade|up|audit|outdated|view|info|search|remove|rm|uninstall|dedupe|fund)$/.test(
      command,
    )
  )
    // Installed packages run their own scripts, so a grant covers only these packages.
    return { effect: isRaised ? 'unknown' : 'network', script: { type: 'one-of', files: ['package.json'] } };
  const name =
    command === 'run' || command === 'run-script'
      ? rest[0]
      : /^(?:test|t|start|stop|restart)$/.test(command)
        ? command
        : undefined;
  if (name === undefined || !/^[\w][\w:.-]*$/.test(name)) return { effect: 'unknown' };
  const fixed = command === name ? 2 : 3;
  const end = rest.indexOf('--');
  const own = (end === -1 ? rest : rest.slice(0, end)).slice(fixed - 2);
  const passed = end === -1 ? [] : rest.slice(end);
  const isKnown =
    !isRaised &&
    own.every((word) => /^(?:--silent|-s|--if-present|[\w@][\w@./:-]*)$/.test(word)) &&
    passed.every(isPlain);
  const script = { type: 'package-script', name: name === 't' ? 'test' : name } as const;
  return isKnown ? { effect: 'build', varies: fixed, script } : { effect: 'unknown', script };
}

const GIT_CHANGES: ReadonlyMap<string, RegExp> = new Map([
  ['add', /^(?:-[AuvNn]+|--all|--update|--verbose|--)$/],
  ['commit', /^(?:-[amqvs]+|--message(?:=.*)?|--all|--quiet|--verbose|--signoff|--allow-empty|--)$/s],
  ['switch', /^(?:-[cdq]|--create|--detach|--quiet|-)$/],
  ['stash', /^(?:-[ukqm]+|--include-untracked|--keep-index|--quiet|--message(?:=.*)?)$/s],
  ['merge', /^(?:-[mq]|--no-ff|--ff-only|--no-edit|--squash|--abort|--continue|--quiet|--message(?:=.*)?)$/s],
]);
const GIT_EXACT: ReadonlySet<string> = new Set(
  words('checkout branch tag init mv restore reset cherry-pick revert rm notes'),
);

/** The words after `git`. */
export function gitEffect(after: readonly string[], isRaised: boolean): CommandEffect {
  if (gitLook(after) !== undefined) return { effect: 'look' };
  const [command = '', ...rest] = after;
  if (command === 'worktree' && rest.join(' ') === 'list') return { effect: 'look' };
  if (command === 'push') return { effect: 'send' };
  if (/^(?:fetch|pull|clone|ls-remote)$/.test(command)) return { effect: isRaised ? 'unknown' : 'network' };
  if (command === 'clean') return { effect: 'delete' };
  if (isRaised) return { effect: 'unknown' };
  const options = rest.filter((word) => word.startsWith('-'));
  // With a path instead of a branch, checkout discards work.
  if (command === 'checkout' && rest[0] === '-b' && options.length === 1)
    return { effect: 'repository', varies: 3 };
  const listed = GIT_CHANGES.get(command);
  if (listed !== undefined && options.every((option) => listed.test(option)))
    return { effect: 'repository', varies: 2 };
  return { effect: GIT_EXACT.has(command) ? 'repository' : 'unknown' };
}
