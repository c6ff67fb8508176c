/** What git notes beside commits and files: the stash, operations in progress, what is staged or in conflict. */
import type { GitFailure } from '../git/git-call.ts';
import { gitText, runGit } from '../git/run-git.ts';
import type { SavedFiles } from '../kernel/place.ts';
import type { Repository } from '../worktrees/repository.ts';
import { conflictsIn, unfinishedOperation } from '../worktrees/work-state.ts';

/** Refs of a bundle that hold the stash entries, newest first. */
export const stashRefs = 'refs/rondo-place/stash/';
const inConflict = ' (in conflict)';

/** Entries of the stash are a log of one ref, the oldest first. */
export async function restoreStashes(repository: Repository): Promise<GitFailure | undefined> {
  const format = '--format=%(objectname) %(subject)';
  const text = await gitText({
    cwd: repository.root,
    dir: 'generated',
    args: ['for-each-ref', '--sort=-version:refname', format, stashRefs],
  });
  if (typeof text !== 'string') return text;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [commit = '', ...words] = line.split(' ');
    const args = ['update-ref', '--create-reflog', '-m', words.join(' '), 'refs/stash', commit];
    const stored = await gitText({ cwd: repository.root, dir: 'repository', args });
    if (typeof stored !== 'string') return stored;
  }
  return undefined;
}

/** What a bundle doesn't hold of it, in words for people and models. */
export async function unsavedGitState(repository: Repository): Promise<readonly string[]> {
  const operation = await unfinishedOperation(repository.gitDir);
  const staged = await runGit({ cwd: repository.root, dir: 'generated', args: ['diff', '--cached', '--quiet'] });
  return [
    ...(operation === undefined ? [] : [`the ${operation} that was in progress`]),
    ...(await conflictsIn(repository.root)).map((file) => `${file}${inConflict}`),
    ...(staged.type === 'done' && staged.code === 1 ? ['what was staged: the files are there, unstaged'] : []),
  ];
}

/** Marks files as in conflict again, so that nobody takes them for resolved. */
export async function restoreConflicts(
  { root }: Repository,
  saved: SavedFiles,
  head: string,
): Promise<GitFailure | undefined> {
  const files = saved.leftOut.flatMap((one) =>
    one.endsWith(inConflict) ? [one.slice(0, -inConflict.length)] : [],
  );
  const lines: string[] = [];
  for (const file of files) {
    lines.push(`0 ${'0'.repeat(saved.commit.length)}\t${file}\0`);
    for (const [index, commit] of [head, head, saved.commit].entries()) {
      const text = await gitText({ cwd: root, dir: 'generated', args: ['ls-tree', '-z', commit, '--', file] });
      const [, mode, object] = /^(\d+) blob ([0-9a-f]+)\t/.exec(typeof text === 'string' ? text : '') ?? [];
      if (mode !== undefined && object !== undefined) lines.push(`${mode} ${object} ${index + 1}\t${file}\0`);
    }
  }
  if (lines.length === 0) return undefined;
  const args = ['update-index', '-z', '--index-info'];
  const marked = await gitText({ cwd: root, dir: 'repository', args, input: lines.join('') });
  return typeof marked === 'string' ? undefined : marked;
}
