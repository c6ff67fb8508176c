import { argumentsOf, writesOf } from '../security/segment-facts.ts';
import type { Segment } from '../security/segment.ts';
import { programName } from '../security/shell-word.ts';

/**
 * Whether a segment is known to change nothing, so that running it again after a crash is the same
 * as running it once. What is not known is taken to change something.
 */
export function isReadOnly(segment: Segment): boolean {
  if (segment.opaque || writesOf(segment).some(({ text }) => text !== '/dev/null')) return false;
  if (segment.words.length === 0) return segment.assignments.length === 0;
  const program = programName(segment.words[0]);
  const words = argumentsOf(segment).map(({ text }) => text);
  const allowed = READERS.get(program);
  if (allowed === undefined) return false;
  return allowed === 'always' || allowed(words);
}

type Check = 'always' | ((words: readonly string[]) => boolean);

const without =
  (pattern: RegExp): Check =>
  (words) =>
    !words.some((word) => pattern.test(word));

const GIT_READERS: ReadonlySet<string> = new Set(
  'status log diff show blame rev-parse ls-files ls-tree describe shortlog cat-file grep'.split(' '),
);

const git: Check = ([command = '', ...words]) =>
  GIT_READERS.has(command) && !words.some((word) => /^--(?:output|ext-diff|open-files)|^-O/.test(word));

const onlyVersion: Check = (words) => words.length === 1 && /^(?:-v|-V|--version|version)$/.test(words[0] ?? '');

const ALWAYS = [
  'ls cat head tail wc pwd echo printf true false test [ cd basename dirname realpath readlink',
  'stat file du df uname whoami id which type grep egrep fgrep cut tr nl tac rev comm cmp diff jq',
  'md5sum sha1sum sha256sum ps seq expr sleep column fold paste od hexdump strings',
].flatMap((names) => names.split(' '));

const READERS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...ALWAYS.map((name): [string, Check] => [name, 'always']),
  ['git', git],
  ['rg', without(/^--(?:pre|hostname-bin)/)],
  ['find', without(/^-(?:delete|exec|execdir|ok|okdir|fprint|fprintf|fprint0|fls)$/)],
  ['fd', without(/^(?:-x|-X|--exec)/)],
  ['sort', without(/^(?:-[a-zA-Z]*o|--output|--compress-program)/)],
  ['uniq', (words) => words.filter((word) => !word.startsWith('-')).length < 2],
  ['date', without(/^(?:-s|--set)/)],
  ['hostname', (words) => words.length === 0],
  ...['node', 'npm', 'pnpm', 'yarn', 'python', 'python3', 'cargo', 'rustc', 'go', 'java', 'tsc'].map(
    (name): [string, Check] => [name, onlyVersion],
  ),
]);
