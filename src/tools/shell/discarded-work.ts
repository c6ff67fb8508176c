import { gitWords } from '../../security/shell/git-words.ts';
import type { Segment } from '../../security/shell/segment.ts';

/**
 * Whether all that the line throws away are uncommitted files, which a checkpoint of the work tree holds (S8e).
 * Ignored files, stashes and worktrees are in none.
 */
export function discardsFilesOnly(segments: readonly Segment[]): boolean {
  return segments.every((segment) => {
    const [command = '', ...rest] = gitWords(segment);
    const has = (option: RegExp) => rest.some((word) => option.test(word));
    switch (command) {
      case 'clean':
        return !has(/^-[a-zA-Z]*[xX]/);
      case 'stash':
        return !has(/^(?:drop|clear)$/);
      case 'worktree':
        return false;
      default:
        return true;
    }
  });
}
