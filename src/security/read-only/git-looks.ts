// Git commands that only read, with the options for which that is certain (S9). They run through the single git
// runner (S3), which ignores the repository's configuration.
//
// 1. The table lists every allowed option in full. None writes a file, reads a list of files or patterns, starts a
//    program, leaves the repository or enters a submodule.
// 2. If a command shows content, files with secrets are excluded, even if they are staged or committed.
// 3. A revision whose content is shown must be a commit: the id of a single file would show it without its name.
import { gitLookTable, type GitLookOperands, type GitLookOptions } from './git-look-table.ts';
import { readArguments } from './read-arguments.ts';
import { SECRET_FOLDERS, SECRET_NAMES } from '../secrets/secret-names.ts';

/** A read-only git command, as parsed from its words. */
interface GitLook {
  readonly command: string;
  readonly options: readonly string[];
  /** Words before `--`. Each is a path if such a file exists, otherwise a revision. */
  readonly either: readonly string[];
  /** Words after `--`. */
  readonly paths: readonly string[];
  readonly takes: GitLookOperands;
  readonly showsContent: boolean;
}

/** `words` are those after `git`. Undefined if it isn't certain that the command only reads. */
export function gitLook(words: readonly string[]): GitLook | undefined {
  const start = words.findIndex((word) => !HARMLESS_BEFORE.has(word));
  const [command = '', ...rest] = start === -1 ? [] : words.slice(start);
  const table = gitLookTable.get(command);
  if (table === undefined) return undefined;
  const read = readArguments(rest, table.reader);
  if (read === undefined || read.options.some((option) => STARTS_PROGRAM.test(option))) return undefined;
  const { options, operands, after } = read;
  if ([...operands, ...after].some((word) => word === '' || word.startsWith(':'))) return undefined;
  if (table.isAllowed?.(options, [...operands, ...after]) === false) return undefined;
  const pattern = table.hasPattern === true && !options.some((option) => /^-[a-zA-Z]*e/.test(option));
  const [first] = operands;
  if (pattern && first === undefined) return undefined;
  return {
    command,
    options: pattern ? [...options, '-e', first ?? ''] : options,
    either: pattern ? operands.slice(1) : operands,
    paths: after,
    takes: table.takes,
    showsContent: showsContent(table.content ?? 'no', options),
  };
}

interface LookArguments {
  readonly args: readonly string[];
  /** Paths and wildcards of the work tree that the command covers. */
  readonly paths: readonly string[];
  /** Names of single files of a commit, as in `HEAD:src/main.ts`. */
  readonly contents: readonly string[];
}

/**
 * Returns the arguments for the runner. `isFile` tells which words name files. Undefined if a word is neither a
 * file nor a commit.
 */
export function lookArguments(look: GitLook, isFile: (word: string) => boolean): LookArguments | undefined {
  const { command, options, either } = look;
  switch (look.takes) {
    case 'words':
      if (!either.every((word) => WORD.test(word)) || look.paths.length > 0) return undefined;
      return { args: [command, ...options, ...either], paths: [], contents: [] };
    case 'paths': {
      const paths = [...either, ...look.paths];
      return { args: [command, ...options, '--', ...paths], paths, contents: [] };
    }
    case 'file':
    case 'patterns':
      return command === 'show' && either.some((word) => word.includes(':'))
        ? fileOfCommit(look)
        : revisionsAndPaths(look, isFile);
  }
}

/** `git show HEAD:src/main.ts` with no other words, because no pathspec could exclude a secret. */
function fileOfCommit({ command, options, either, paths }: GitLook): LookArguments | undefined {
  const [, named] = /^[\w@][\w./@~^-]*:([\w@.][^:]*)$/.exec(either[0] ?? '') ?? [];
  if (named === undefined || either.length + paths.length > 1) return undefined;
  return { args: [command, ...options, ...either], paths: [], contents: [named] };
}

function revisionsAndPaths(look: GitLook, isFile: (word: string) => boolean): LookArguments | undefined {
  const { command, options, either, showsContent: shows } = look;
  const isPath = (word: string) => /[*?[]/.test(word) || isFile(word);
  const revisions = either.filter((word) => !isPath(word));
  const paths = [...either.filter(isPath), ...look.paths];
  const isRange = command === 'show' && revisions.some((word) => word.includes('..'));
  // Git follows a file under its earlier names.
  const isFollowed = shows && options.includes('--follow');
  if (isRange || isFollowed || !revisions.every((word) => REVISION.test(word))) return undefined;
  const leftOut = shows && look.takes === 'patterns' ? LEFT_OUT : [];
  // Otherwise git would not list a commit that changed only excluded files.
  const whole = command === 'log' && shows && paths.length === 0 ? ['--full-history', '--sparse'] : [];
  const commits = shows ? revisions.map(asCommit) : revisions;
  return { args: [command, ...options, ...whole, ...commits, '--', ...paths, ...leftOut], paths, contents: [] };
}

/** Pathspecs that exclude secrets. */
export const LEFT_OUT: readonly string[] = [
  ...SECRET_NAMES.map((name) => `:(top,exclude,icase,glob)**/${name}`),
  ...SECRET_FOLDERS.map((name) => `:(top,exclude,icase,glob)**/${name}/**`),
];

/** Git fails if the revision isn't a commit. */
export function asCommit(revision: string): string {
  const [, from = '', dots, to = ''] = /^(.*?)(\.{2,3})(.*)$/.exec(revision) ?? [];
  const peeled = (name: string) => (name === '' ? '' : `${name}^{commit}`);
  return dots === undefined ? peeled(revision) : `${peeled(from)}${dots}${peeled(to)}`;
}

const REVISION = /^[\w@^][\w./@~^{}+-]*$/;
const WORD = /^[\w@][\w./@~^{}:+*?-]*$/;
const HARMLESS_BEFORE: ReadonlySet<string> = new Set(['--no-pager', '-P', '--no-optional-locks']);

/** Formats that make git check signatures. */
const STARTS_PROGRAM = /^--(?:format|pretty|sort)=.*(?:%[-+ ]?G|signature)/is;

function showsContent(content: NonNullable<GitLookOptions['content']>, options: readonly string[]): boolean {
  const asks = options.some((option) => PATCHES.test(option));
  switch (content) {
    case 'no':
      return false;
    case 'always':
      return true;
    case 'patch':
      return asks;
    case 'unless-names':
      return asks || !options.some((option) => NAMES.test(option));
  }
}

const PATCHES =
  /^-[a-zA-Z]*[puSGU]|^--(?:patch|unified|word-diff|color-words|function-context|cc|binary|full-index|check|pickaxe|remerge-diff)/;
const NAMES = /^--(?:stat|numstat|shortstat|summary|name-only|name-status|compact-summary|no-patch|quiet)\b|^-s$/;
