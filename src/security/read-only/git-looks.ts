// Git commands that only read, with the options for which that is certain (S9). They run through the single git
// runner (S3), which ignores the repository's configuration.
//
// 1. The table lists every allowed option in full. None writes a file, reads a list of files or patterns, starts a
//    program, leaves the repository or enters a submodule.
// 2. If a command shows content, files with secrets are excluded, even if they are staged or committed.
// 3. A revision whose content is shown must be a commit: the id of a single file would show it without its name.
import { readArguments, type Reader } from './read-arguments.ts';
import { SECRET_FOLDERS, SECRET_NAMES } from '../secrets/secret-names.ts';

/** A read-only git command, as parsed from its words. */
export interface GitLook {
  readonly command: string;
  readonly options: readonly string[];
  /** Words before `--`. Each is a path if such a file exists, otherwise a revision. */
  readonly either: readonly string[];
  /** Words after `--`. */
  readonly paths: readonly string[];
  readonly takes: Takes;
  readonly showsContent: boolean;
}

/**
 * `patterns`: revisions, and paths with wildcards. `file`: revisions and one file. `paths`: paths only. `words`:
 * words for which git prints only names and ids.
 */
type Takes = 'patterns' | 'file' | 'paths' | 'words';

/** `words` are those after `git`. Undefined if it isn't certain that the command only reads. */
export function gitLook(words: readonly string[]): GitLook | undefined {
  const start = words.findIndex((word) => !HARMLESS_BEFORE.has(word));
  const [command = '', ...rest] = start === -1 ? [] : words.slice(start);
  const known = LOOKS.get(command);
  if (known === undefined) return undefined;
  const read = readArguments(rest, known.reader);
  if (read === undefined || read.options.some((option) => STARTS_PROGRAM.test(option))) return undefined;
  const { options, operands, after } = read;
  if ([...operands, ...after].some((word) => word === '' || word.startsWith(':'))) return undefined;
  if (known.isAllowed?.(options, [...operands, ...after]) === false) return undefined;
  const pattern = known.hasPattern === true && !options.some((option) => /^-[a-zA-Z]*e/.test(option));
  const [first] = operands;
  if (pattern && first === undefined) return undefined;
  return {
    command,
    options: pattern ? [...options, '-e', first ?? ''] : options,
    either: pattern ? operands.slice(1) : operands,
    paths: after,
    takes: known.takes,
    showsContent: showsContent(known.content ?? 'no', options),
  };
}

export interface LookArguments {
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

interface Look {
  readonly reader: Reader;
  readonly takes: Takes;
  /** `patch`: only with an option for it. `unless-names`: not with an option for names or statistics. */
  readonly content?: 'no' | 'always' | 'patch' | 'unless-names';
  /** The first operand is a pattern to search for. */
  readonly hasPattern?: boolean;
  readonly isAllowed?: (options: readonly string[], operands: readonly string[]) => boolean;
}

function showsContent(content: NonNullable<Look['content']>, options: readonly string[]): boolean {
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

const DIFF: Required<Pick<Reader, 'flags' | 'values' | 'long' | 'longValues' | 'longNext' | 'others'>> = {
  flags: 'puswbaRz',
  values: 'SG',
  long:
    'patch no-patch stat numstat shortstat summary name-only name-status raw check minimal patience histogram ' +
    'no-renames find-renames find-copies full-index binary word-diff color-words ignore-all-space ' +
    'ignore-space-change ignore-space-at-eol ignore-blank-lines function-context no-color color no-prefix ' +
    'compact-summary text reverse no-ext-diff no-textconv pickaxe-all pickaxe-regex exit-code quiet cc',
  longValues: 'stat word-diff word-diff-regex color color-words diff-algorithm find-renames find-copies abbrev',
  longNext: 'unified diff-filter inter-hunk-context',
  others: /^-(?:[MC]\d*%?|U\d+)$/,
};

const LOG: Reader = {
  flags: `${DIFF.flags}igEFP`,
  values: `${DIFF.values}n`,
  long:
    `${DIFF.long} oneline graph all decorate no-decorate follow merges no-merges first-parent reverse branches tags ` +
    'remotes date-order topo-order author-date-order abbrev-commit no-abbrev-commit full-history left-right ' +
    'cherry-pick cherry-mark boundary no-notes parents source regexp-ignore-case extended-regexp fixed-strings ' +
    'perl-regexp invert-grep all-match relative-date walk-reflogs',
  longValues: `${DIFF.longValues} format pretty date decorate branches tags remotes min-parents max-parents`,
  longNext: `${DIFF.longNext} max-count since until after before author committer grep skip`,
  others: /^-(?:[MC]\d*%?|U\d+|n?\d+)$/,
};

const isListing = (options: readonly string[], operands: readonly string[]): boolean =>
  operands.length === 0 || options.some((option) => option === '--list');

const LOOKS: ReadonlyMap<string, Look> = new Map<string, Look>([
  [
    'status',
    {
      reader: {
        flags: 'sbz',
        long: 'short branch porcelain long ignored untracked-files show-stash ahead-behind no-ahead-behind renames no-renames',
        longValues: 'porcelain untracked-files ignored',
        others: /^-u(?:no|normal|all)?$/,
      },
      takes: 'paths',
    },
  ],
  [
    'diff',
    {
      reader: { ...DIFF, long: `${DIFF.long} cached staged merge-base` },
      takes: 'patterns',
      content: 'unless-names',
    },
  ],
  ['log', { reader: LOG, takes: 'patterns', content: 'patch' }],
  ['show', { reader: LOG, takes: 'patterns', content: 'unless-names' }],
  [
    'blame',
    {
      reader: {
        flags: 'wefsltnpb',
        values: 'L',
        long: 'porcelain line-porcelain show-email show-name show-number root',
        longValues: 'date abbrev',
        others: /^-[MC]\d*$/,
      },
      takes: 'file',
    },
  ],
  [
    'grep',
    {
      reader: {
        flags: 'niwvhHlLcEFGPopWqIa',
        values: 'eABCm',
        long:
          'line-number ignore-case word-regexp invert-match name-only files-with-matches files-without-match count ' +
          'all-match extended-regexp basic-regexp perl-regexp fixed-strings cached untracked show-function ' +
          'function-context heading break column only-matching quiet full-name no-color color',
        longValues: 'color',
        longNext: 'max-depth context after-context before-context max-count',
        others: /^-\d+$/,
      },
      takes: 'patterns',
      content: 'always',
      hasPattern: true,
    },
  ],
  ['check-ignore', { reader: { flags: 'vqn', long: 'verbose quiet non-matching' }, takes: 'paths' }],
  [
    'ls-files',
    {
      reader: {
        flags: 'cdmoisutvz',
        long: 'cached deleted modified others ignored stage unmerged exclude-standard full-name error-unmatch directory no-empty-directory',
        longValues: 'abbrev',
      },
      takes: 'paths',
    },
  ],
  [
    'ls-tree',
    {
      reader: { flags: 'rtdlz', long: 'name-only name-status full-tree full-name long', longValues: 'abbrev' },
      takes: 'words',
    },
  ],
  [
    'rev-parse',
    {
      reader: {
        flags: 'q',
        long: 'abbrev-ref show-toplevel show-prefix show-cdup is-inside-work-tree symbolic-full-name verify quiet short',
        longValues: 'short abbrev-ref',
      },
      takes: 'words',
    },
  ],
  [
    'branch',
    {
      reader: {
        flags: 'avr',
        long: 'list all remotes verbose show-current no-color no-column',
        longValues: 'contains no-contains merged no-merged points-at sort format',
      },
      takes: 'words',
      isAllowed: isListing,
    },
  ],
  [
    'tag',
    {
      reader: {
        long: 'list no-column',
        longValues: 'contains no-contains merged no-merged points-at sort format',
      },
      takes: 'words',
      isAllowed: isListing,
    },
  ],
  [
    'describe',
    {
      reader: {
        long: 'tags always long all contains exact-match first-parent',
        longValues: 'match exclude abbrev candidates',
      },
      takes: 'words',
    },
  ],
  [
    'shortlog',
    {
      reader: { flags: 'sne', long: 'summary numbered email no-merges', longValues: 'since until' },
      takes: 'words',
      // Without a revision it reads standard input.
      isAllowed: (_, operands) => operands.length > 0,
    },
  ],
  ['merge-base', { reader: { flags: 'a', long: 'all is-ancestor octopus independent' }, takes: 'words' }],
  [
    'rev-list',
    {
      reader: {
        values: 'n',
        long: 'count all no-merges merges first-parent left-right reverse branches tags remotes',
        longNext: 'max-count since until after before author skip',
        others: /^-\d+$/,
      },
      takes: 'words',
    },
  ],
  [
    'stash',
    { reader: {}, takes: 'words', isAllowed: (_, operands) => operands.length === 1 && operands[0] === 'list' },
  ],
  [
    'reflog',
    {
      reader: { values: 'n', others: /^-\d+$/ },
      takes: 'words',
      isAllowed: (_, operands) => operands.length === 0 || operands[0] === 'show',
    },
  ],
]);
