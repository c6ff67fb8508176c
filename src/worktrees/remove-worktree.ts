/** Removes a worktree if nothing in it can be lost (P12). */
import { takeGitCheckpoint } from './checkpoint-git.ts';
import { gitText, runGit } from '../git/run-git.ts';
import { uncommitted } from './file-count.ts';
import { isAncestor } from './merge-worktree.ts';
import { inCommonDir, type Repository, resolveCommit } from './repository.ts';
import { uncommittedFiles, unfinishedOperation } from './work-state.ts';
import { refused, type Refused, type Worktree } from './worktree.ts';

export interface Removed {
  readonly type: 'removed';
  readonly name: string;
  /** The branch is deleted if all of it is merged. */
  readonly branch: 'deleted' | 'kept';
  /** The hidden ref that holds its files and commits. */
  readonly checkpoint?: string;
}

export interface RemoveRequest {
  /** Save uncommitted and unmerged work in a checkpoint first. */
  readonly withCheckpoint: boolean;
  readonly at: number;
}

/** `own` is the repository as seen from inside the worktree. The caller holds its lease. */
export async function removeWorktree(
  worktree: Worktree,
  own: Repository,
  request: RemoveRequest,
): Promise<Removed | Refused> {
  const { name, path: cwd, branch } = worktree;
  const doing = `Removing worktree ${name}`;
  const instead = `\`rondo worktrees remove ${name} --checkpoint\` saves it in a hidden ref first.`;
  const unfinished = await unfinishedOperation(own.gitDir);
  if (unfinished !== undefined)
    return refused('unfinished', `${doing}: a ${unfinished} is in progress there; finish it first.`);
  const files = await uncommittedFiles(cwd);
  if ('type' in files) return refused('git-failed', `${doing}: ${files.message}`);
  if (files.length > 0 && !request.withCheckpoint)
    return refused('uncommitted', `${doing}: ${uncommitted(files.length)}. ${instead}`, files);
  const isMerged = await isAllMerged(worktree);
  if (!isMerged && !request.withCheckpoint)
    return refused(
      'unmerged',
      `${doing}: branch ${branch} has commits that ${worktree.baseBranch ?? 'no other branch'} has not. Merge them with \`rondo worktrees merge ${name}\`; ${instead}`,
    );
  const kept = request.withCheckpoint ? await keepAll(worktree, own, request.at) : undefined;
  if (kept !== undefined && kept.type === 'refused') return kept;
  const main = inCommonDir(own);
  const removed = await gitText({ ...main, args: ['worktree', 'remove', '--force', cwd] });
  if (typeof removed !== 'string') return refused('git-failed', `${doing}: ${removed.message}`);
  const deleted = isMerged && (await deleteBranch(own, branch));
  return {
    type: 'removed',
    name,
    branch: deleted ? 'deleted' : 'kept',
    ...(kept !== undefined && { checkpoint: kept.ref }),
  };
}

/** Whether the base branch, or another branch that stays, contains HEAD and the branch. */
async function isAllMerged({ path: cwd, branch, baseBranch, base }: Worktree): Promise<boolean> {
  const heads = [await resolveCommit(cwd, 'HEAD'), await resolveCommit(cwd, `refs/heads/${branch}`)];
  for (const head of heads) {
    if (head === undefined || head === base) continue;
    const target = baseBranch === undefined ? undefined : await resolveCommit(cwd, `refs/heads/${baseBranch}`);
    if (target !== undefined && (await isAncestor(cwd, head, target))) continue;
    const text = await gitText({
      cwd,
      dir: 'generated',
      args: ['for-each-ref', '--contains', head, '--format=%(refname)', 'refs/heads', 'refs/remotes', 'refs/tags'],
    });
    const others =
      typeof text === 'string'
        ? text.split('\n').filter((ref) => ref !== '' && ref !== `refs/heads/${branch}`)
        : [];
    if (others.length === 0) return false;
  }
  return true;
}

async function keepAll(
  worktree: Worktree,
  own: Repository,
  at: number,
): Promise<{ readonly type: 'kept'; readonly ref: string } | Refused> {
  const label = `removed-${at}`;
  const taken = await takeGitCheckpoint(own, { session: `worktree-${worktree.name}`, label, at });
  if (taken.type === 'failed')
    return refused('git-failed', `Removing worktree ${worktree.name}: ${taken.message}`);
  const { kept, leftOut } = taken.checkpoint;
  if (leftOut.length > 0 || kept.type !== 'git')
    return refused(
      'not-kept',
      `Removing worktree ${worktree.name}: a checkpoint can't hold ${leftOut.map(({ path, reason }) => `${path} (${reason})`).join(', ')}. Move them away or commit them.`,
      leftOut.map(({ path }) => path),
    );
  return { type: 'kept', ref: kept.ref };
}

/** Deletes the branch unless it moved. */
async function deleteBranch(own: Repository, branch: string): Promise<boolean> {
  const main = inCommonDir(own);
  const text = await gitText({
    ...main,
    dir: 'generated',
    args: ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`],
  });
  if (typeof text !== 'string') return false;
  const commit = text.trim();
  const answer = await runGit({ ...main, args: ['update-ref', '-d', `refs/heads/${branch}`, commit] });
  return answer.type === 'done' && answer.code === 0;
}
