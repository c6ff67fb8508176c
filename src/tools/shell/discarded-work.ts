import { gitWords } from '../../security/shell/git-words.ts';
import type { Segment } from '../../security/shell/segment.ts';

/**
 * True if the line discards only uncommitted files, which a checkpoint of the work tree holds (S8e). Checkpoints
 * don't hold ignored files, stashes and worktrees.
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
