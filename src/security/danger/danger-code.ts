import type { DangerRule } from './danger-rule.ts';
import { hasOption, runs, writesOf } from '../shell/segment-facts.ts';
import type { Segment } from '../shell/segment.ts';
import { programName } from '../shell/shell-word.ts';
import { isShell } from '../shell/unwrap-shells.ts';
import { INTERPRETERS } from '../shell/wrapper-table.ts';

export const CODE_RULES: readonly DangerRule[] = [
  {
    id: 'pipe-to-shell',
    severity: 'deny',
    reason: 'runs code that was just downloaded or decoded, without review',
    matches: (segment, _index, all) => {
      const { pipe } = segment;
      if (pipe === undefined || !segment.opaque || !isRunner(segment)) return false;
      return all.some(
        (other) => other.pipe?.group === pipe.group && other.pipe.stage < pipe.stage && producesCode(other),
      );
    },
  },
  {
    id: 'run-substitution',
    severity: 'deny',
    reason: 'runs code that a substitution downloads or decodes, without review',
    matches: (segment, _index, all) =>
      producesCode(segment) &&
      holdersOf(segment, all).some(
        (holder) => substitutes(segment, holder) && (isRunner(holder) || holder.dynamic[0] === 0),
      ),
  },
  {
    id: 'download-and-run',
    severity: 'ask',
    reason: 'runs a file that was just downloaded',
    matches: (segment, index, all) => {
      const fetched = all.slice(0, index).filter(downloads).flatMap(writesOf);
      const files = new Set(fetched.map((target) => target.text.replace(/^\.\//, '')));
      const run = isRunner(segment) ? segment.words : segment.words.slice(0, 1);
      return run.some((word) => files.has(word.replace(/^\.\//, '')));
    },
  },
  {
    id: 'hijack-environment',
    severity: 'ask',
    reason: 'sets a variable that decides which code other programs run',
    matches: (segment) =>
      [...segment.assignments, ...declared(segment)].some(
        ({ name, value }) =>
          HIJACKS.test(name) || (name === 'NODE_OPTIONS' && /require|import|loader|-r/.test(value)),
      ),
  },
];

const HIJACKS =
  /^(?:LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_\w+|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|PATH|IFS|GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|PROXY_COMMAND|ASKPASS|EXEC_PATH|CONFIG_\w+)|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|PYTHONSTARTUP|PYTHONHOME|PERL5OPT|PERL5LIB|PERL5DB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|PROMPT_COMMAND)$/;

function isRunner(segment: Segment): boolean {
  const name = programName(segment.words[0]);
  return (
    isShell(name) ||
    INTERPRETERS.has(name) ||
    ['eval', 'source', '.', 'exec', 'xargs', 'parallel', 'busybox'].includes(name)
  );
}

function producesCode(segment: Segment): boolean {
  return downloads(segment) || decodes(segment);
}

function downloads(segment: Segment): boolean {
  return runs(
    segment,
    'curl',
    'wget',
    'fetch',
    'aria2c',
    'lynx',
    'http',
    'https',
    'xh',
    'nc',
    'ncat',
    'netcat',
    'socat',
    'ftp',
    'GET',
  );
}

function decodes(segment: Segment): boolean {
  if (runs(segment, 'base64', 'base32', 'basenc', 'gbase64')) return hasOption(segment, 'dD', '--decode');
  if (runs(segment, 'xxd')) return hasOption(segment, 'r');
  if (runs(segment, 'openssl')) return segment.words.includes('-d');
  return (
    runs(segment, 'uudecode', 'zcat', 'gunzip', 'xzcat', 'bzcat', 'rev') ||
    (runs(segment, 'gzip', 'xz', 'bzip2') && hasOption(segment, 'd', '--decompress'))
  );
}

function holdersOf(segment: Segment, all: readonly Segment[]): readonly Segment[] {
  const holders: Segment[] = [];
  for (let place = segment.within; place !== undefined; place = all[place]?.within) {
    const holder = all[place];
    if (holder !== undefined) holders.push(holder);
  }
  return holders;
}

// `bash -c 'curl x'` runs curl; `bash -c "$(curl x)"` runs what curl downloads.
function substitutes(segment: Segment, holder: Segment): boolean {
  return segment.via[holder.via.length]?.endsWith('substitution') ?? false;
}

function declared(segment: Segment): readonly { readonly name: string; readonly value: string }[] {
  if (!runs(segment, 'export', 'declare', 'typeset', 'readonly', 'local')) return [];
  return segment.words
    .slice(1)
    .map((word) => ({ name: word.replace(/\+?=.*/s, ''), value: word.slice(word.indexOf('=') + 1) }))
    .filter(({ name }, place) => segment.words[place + 1] !== name);
}
