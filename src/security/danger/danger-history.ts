import type { DangerRule } from './danger-rule.ts';
import { gitWords } from '../shell/git-words.ts';

/** Git commands that lose work irrecoverably. */
export const HISTORY_RULES: readonly DangerRule[] = [
  {
    id: 'git-discard',
    severity: 'ask',
    reason: 'discards uncommitted work',
    matches: anyOf(
      git('reset', (words) => words.some((word) => /^--(?:hard|merge|keep)$/.test(word))),
      git(
        'clean',
        (words) =>
          words.some((word) => /^-[a-zA-Z]*f|^--force/.test(word)) &&
          !words.some((word) => /^-[a-zA-Z]*n|^--dry-run/.test(word)),
      ),
      git('checkout', (words) => words.some((word) => /^-[a-zA-Z]*f|^--force$|^--$|^\.$/.test(word))),
      git('restore', (words) => !words.includes('--staged') || words.includes('--worktree')),
      git('switch', (words) => words.some((word) => /^-f|^--(?:force|discard-changes)/.test(word))),
      git('stash', (words) => /^(?:drop|clear)$/.test(words[0] ?? '')),
      git('worktree', (words) => words[0] === 'remove' && words.some((word) => /^-f|^--force/.test(word))),
      git('rm', (words) => words.some((word) => /^-[a-zA-Z]*f|^--force/.test(word))),
    ),
  },
  {
    id: 'git-rewrite-history',
    severity: 'ask',
    reason: 'rewrites or drops commits',
    matches: anyOf(
      git(
        'rebase',
        (words) => !words.some((word) => /^--(?:abort|continue|skip|quit|show-current-patch)$/.test(word)),
      ),
      git('filter-branch', () => true),
      git('filter-repo', () => true),
      git('replace', () => true),
      git('branch', (words) => words.some((word) => /^-[a-zA-Z]*D|^--delete$/.test(word))),
      git('tag', (words) => words.some((word) => /^-[a-zA-Z]*[df]|^--(?:delete|force)$/.test(word))),
      git('reflog', (words) => /^(?:expire|delete)$/.test(words[0] ?? '')),
      git('update-ref', (words) => words.includes('-d')),
      git('gc', (words) => words.some((word) => word.startsWith('--prune'))),
    ),
  },
];

type Matches = DangerRule['matches'];

function git(subcommand: string, matches: (words: readonly string[]) => boolean): Matches {
  return (segment) => {
    const words = gitWords(segment);
    return words[0] === subcommand && matches(words.slice(1));
  };
}

function anyOf(...all: readonly Matches[]): Matches {
  return (segment, index, segments) => all.some((matches) => matches(segment, index, segments));
}
