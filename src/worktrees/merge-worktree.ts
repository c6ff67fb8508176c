/**
 * Merges the commits of a worktree back. Git computes the merge on objects alone. If it is clean, git moves the
 * branch in one step, and refuses that step if it would overwrite uncommitted files. So a refusal changes nothing.
 */
import { gitText, runGit } from '../git/run-git.ts';
import { uncommitted } from './file-count.ts';
import { listGitWorktrees } from './git-worktrees.ts';
import { identityFor } from './commit-worktree.ts';
import { resolveCommit } from './repository.ts';
import { uncommittedFiles, unfinishedOperation } from './work-state.ts';
import { refused, type Refused, type Worktree } from './worktree.ts';

export interface Merged {
  readonly type: 'merged';
  readonly into: string;
  readonly commit: string;
  readonly how: 'already-there' | 'fast-forward' | 'merge-commit';
}

export interface MergeRequest {
  readonly into?: string;
  readonly message?: string;
}

export async function mergeWorktree(
  worktree: Worktree,
  gitDir: string,
  request: MergeRequest = {},
): Promise<Merged | Refused> {
  const { name, path: cwd } = worktree;
  const doing = `Merging worktree ${name}`;
  const unfinished = await unfinishedOperation(gitDir);
  if (unfinished !== undefined)
    return refused('unfinished', `${doing}: a ${unfinished} is in progress there; finish it first.`);
  const files = await uncommittedFiles(cwd);
  if ('type' in files) return refused('git-failed', `${doing}: ${files.message}`);
  if (files.length > 0)
    return refused(
      'uncommitted',
      `${doing}: ${uncommitted(files.length)}. Commit with: rondo worktrees commit ${name}`,
      files,
    );
  const into = request.into ?? worktree.baseBranch;
  if (into === undefined)
    return refused(
      'no-target',
      `${doing}: HEAD was detached at its base, so name the branch to merge into: --into BRANCH.`,
    );
  const target = await resolveCommit(cwd, `refs/heads/${into}`);
  if (target === undefined) return refused('no-target', `${doing}: unknown branch ${into}.`);
  const head = await resolveCommit(cwd, 'HEAD');
  if (head === undefined) return refused('git-failed', `${doing}: it has no commit.`);
  const joined = await join(worktree, { head, target, into, message: request.message });
  if (joined.type === 'refused' || joined.how === 'already-there') return joined;
  const moved = await moveBranch(cwd, into, target, joined.commit);
  return moved === undefined
    ? joined
    : refused('conflict', `${doing} into ${into}: ${moved} Nothing was changed.`);
}

interface Joining {
  readonly head: string;
  readonly target: string;
  readonly into: string;
  readonly message?: string | undefined;
}

/** Creates the merge commit without moving a branch. */
async function join(worktree: Worktree, joining: Joining): Promise<Merged | Refused> {
  const { head, target, into } = joining;
  const cwd = worktree.path;
  if (await isAncestor(cwd, head, target)) return { type: 'merged', into, commit: target, how: 'already-there' };
  if (await isAncestor(cwd, target, head)) return { type: 'merged', into, commit: head, how: 'fast-forward' };
  const tree = await mergedTree(cwd, target, head);
  if (tree.type !== 'clean')
    return tree.type === 'conflict'
      ? refused(
          'conflict',
          `Merging worktree ${worktree.name} into ${into}: both changed ${tree.files.join(', ')}. Nothing was changed. Merge ${into} into ${worktree.branch} in ${cwd}, resolve the conflicts there, and merge again.`,
          tree.files,
        )
      : refused('git-failed', tree.message);
  const message = joining.message ?? `Merge branch '${worktree.branch}' into ${into}`;
  const commit = await gitText({
    cwd,
    dir: 'repository',
    args: ['commit-tree', tree.tree, '-p', target, '-p', head, '-F', '-'],
    environment: await identityFor(cwd),
    input: message,
  });
  if (typeof commit !== 'string') return refused('git-failed', commit.message);
  return { type: 'merged', into, commit: commit.trim(), how: 'merge-commit' };
}

type MergedTree =
  | { readonly type: 'clean'; readonly tree: string }
  | { readonly type: 'conflict'; readonly files: readonly string[] }
  | { readonly type: 'failed'; readonly message: string };

/** Merges in memory, without touching files or the index. */
export async function mergedTree(cwd: string, ours: string, theirs: string): Promise<MergedTree> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const answer = await runGit({ cwd, dir: 'generated', args, timeoutMs: 600_000 });
  if (answer.type === 'failed') return answer;
  const [tree = '', ...files] = answer.stdout.split('\0').filter((part) => part.trim() !== '');
  if (answer.code === 0) return { type: 'clean', tree: tree.trim() };
  if (answer.code === 1) return { type: 'conflict', files: [...new Set(files)] };
  return { type: 'failed', message: `git merge-tree in ${cwd}: ${answer.stderr.trim()}` };
}

export async function isAncestor(cwd: string, one: string, of: string): Promise<boolean> {
  const answer = await runGit({ cwd, dir: 'generated', args: ['merge-base', '--is-ancestor', one, of] });
  return answer.type === 'done' && answer.code === 0;
}

/** The obstacle, or undefined on success. */
async function moveBranch(cwd: string, branch: string, from: string, to: string): Promise<string | undefined> {
  const listed = await listGitWorktrees(cwd);
  if ('type' in listed) return listed.message;
  const place = listed.find((one) => one.branch === branch);
  const moved =
    place === undefined
      ? await gitText({ cwd, dir: 'repository', args: ['update-ref', `refs/heads/${branch}`, to, from] })
      : await gitText({
          cwd: place.path,
          dir: 'repository',
          args: ['merge', '--ff-only', '--quiet', '--no-autostash', to],
        });
  return typeof moved === 'string' ? undefined : moved.message;
}
