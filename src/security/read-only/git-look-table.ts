/** Every git command that only reads, with each option for which that is certain. `git-looks.ts` has the rules. */
import type { Reader } from './read-arguments.ts';

/**
 * `patterns`: revisions, and paths with wildcards. `file`: revisions and one file. `paths`: paths only. `words`:
 * words for which git prints only names and ids.
 */
export type GitLookOperands = 'patterns' | 'file' | 'paths' | 'words';

export interface GitLookOptions {
  readonly reader: Reader;
  readonly takes: GitLookOperands;
  /** `patch`: only with an option for it. `unless-names`: not with an option for names or statistics. */
  readonly content?: 'no' | 'always' | 'patch' | 'unless-names';
  /** The first operand is a pattern to search for. */
  readonly hasPattern?: boolean;
  readonly isAllowed?: (options: readonly string[], operands: readonly string[]) => boolean;
}

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

export const gitLookTable: ReadonlyMap<string, GitLookOptions> = new Map<string, GitLookOptions>([
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
