/** A person's git actions on a session's folder: commit chosen files, discard them, push the branch. */
import path from 'node:path';

import { gitText, runGit, splitNul } from '../git/run-git.ts';
import { commitWorktree, identityFor, type Committed } from './commit-worktree.ts';
import { refName } from './ref-name.ts';
import { findRepository, resolveCommit, type Repository } from './repository.ts';
import { treeOfWork, uncommittedFiles } from './work-state.ts';
import { refused, type Refused } from './worktree.ts';

export interface Discarded {
  readonly type: 'discarded';
  readonly files: readonly string[];
  /** A ref with the discarded content. */
  readonly kept: string;
}

/** What a push would send, so that a person can confirm exactly that. */
export interface PushPlan {
  readonly type: 'plan';
  readonly remote: string;
  readonly url: string;
  readonly branch: string;
  readonly commit: string;
  /** Commits that the remote's branch doesn't have, as far as the last fetch knows; newest first. */
  readonly commits: readonly string[];
}

export interface Pushed {
  readonly type: 'pushed';
  readonly remote: string;
  readonly branch: string;
  readonly commit: string;
}

export type ConfirmedPush = Pick<PushPlan, 'remote' | 'branch' | 'commit'>;

export function commitIn(
  folder: string,
  message: string,
  paths?: readonly string[],
): Promise<Committed | Refused> {
  return inFolder(folder, (repository) =>
    commitWorktree({ name: path.basename(repository.top), path: repository.top }, message, {
      withHooks: true,
      ...(paths !== undefined && { paths }),
    }),
  );
}

/** Puts files back to the last commit. A copy of the folder's content stays in a ref (P12). */
export function discardIn(folder: string, paths: readonly string[], at: number): Promise<Discarded | Refused> {
  return inFolder(folder, async (repository) => {
    const cwd = repository.top;
    const fail = (message: string) => refused('git-failed', `Discarding changes in ${cwd}: ${message}`);
    const changed = await uncommittedFiles(cwd);
    if ('type' in changed) return fail(changed.message);
    const files = changed.filter((file) => paths.includes(file));
    if (files.length === 0) return refused('nothing-to-commit', 'These files have no uncommitted changes.');
    const kept = await keepWork(repository, at);
    if (typeof kept !== 'string') return fail(kept.message);
    const listed = await gitText({
      cwd,
      dir: 'generated',
      args: ['ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', ...files],
    });
    const committed = new Set(typeof listed === 'string' ? splitNul(listed) : []);
    const old = files.filter((file) => committed.has(file));
    const fresh = files.filter((file) => !committed.has(file));
    const steps = [
      ...(old.length > 0 ? [['checkout', '--quiet', 'HEAD', '--', ...old]] : []),
      ...(fresh.length > 0
        ? [
            ['rm', '--cached', '--force', '--quiet', '--ignore-unmatch', '--', ...fresh],
            ['clean', '--force', '--quiet', '--', ...fresh],
          ]
        : []),
    ];
    for (const args of steps) {
      const done = await gitText({ cwd, dir: 'repository', args });
      if (typeof done !== 'string') return fail(`${done.message} A copy of all files is at ${kept}.`);
    }
    return { type: 'discarded', files, kept };
  });
}

export function planPush(folder: string): Promise<PushPlan | Refused> {
  return inFolder(folder, async ({ top: cwd }) => {
    const ask = async (...args: readonly string[]) => {
      const text = await gitText({ cwd, dir: 'repository', args });
      return typeof text === 'string' ? text.trim() : undefined;
    };
    const branch = await ask('symbolic-ref', '--quiet', '--short', 'HEAD');
    if (branch === undefined) return refused('no-target', 'HEAD is detached. Create a branch first.');
    const commit = await resolveCommit(cwd, 'HEAD');
    if (commit === undefined) return refused('no-commits', 'There is no commit yet.');
    const remotes = ((await ask('remote')) ?? '').split('\n').filter((name) => name !== '');
    const own = await ask('config', '--get', `branch.${branch}.pushRemote`);
    const remote = [own, 'origin', ...remotes].find((name) => name !== undefined && remotes.includes(name));
    const url = remote === undefined ? undefined : await ask('remote', 'get-url', '--push', remote);
    if (remote === undefined || url === undefined)
      return refused('no-target', 'This repository has no remote. Add one with: git remote add origin URL');
    const tracked = `refs/remotes/${remote}/${branch}`;
    const isTracked = (await resolveCommit(cwd, tracked)) !== undefined;
    const range = isTracked ? [`${tracked}..HEAD`] : ['HEAD', '--not', `--remotes=${remote}`];
    const listed = await ask('log', '--format=%s', '--max-count=50', ...range, '--');
    const commits = (listed ?? '').split('\n').filter((subject) => subject !== '');
    return { type: 'plan', remote, url: withoutSecret(url), branch, commit, commits };
  });
}

/** Pushes exactly the confirmed commit (S22). Never forces: a remote that has other commits refuses it. */
export function pushFrom(folder: string, request: ConfirmedPush): Promise<Pushed | Refused> {
  return inFolder(folder, async ({ top: cwd }) => {
    const plan = await planPush(folder);
    if (plan.type === 'refused') return plan;
    const { remote, branch, commit } = request;
    if (plan.remote !== remote || plan.branch !== branch || plan.commit !== commit)
      return refused('conflict', 'The branch changed since you confirmed. Nothing was pushed. Try again.');
    const answer = await runGit({
      cwd,
      dir: 'repository',
      args: ['push', '--porcelain', '--no-force', '--', remote, `${commit}:refs/heads/${branch}`],
      withHooks: true,
      reachesOut: true,
      timeoutMs: 300_000,
    });
    if (answer.type === 'done' && answer.code === 0) return { type: 'pushed', remote, branch, commit };
    const text = answer.type === 'done' ? `${answer.stderr}\n${answer.stdout}`.trim() : answer.message;
    return refused('git-failed', `Pushing ${branch} to ${remote} failed: ${withoutSecret(text.slice(-2_000))}`);
  });
}

async function inFolder<Answer>(
  folder: string,
  then: (repository: Repository) => Promise<Answer | Refused>,
): Promise<Answer | Refused> {
  const repository = await findRepository(folder);
  if (repository.type === 'failed') return refused('git-failed', repository.message);
  if (repository.type === 'no-repository') return refused('no-repository', `${repository.why}.`);
  return await then(repository);
}

async function keepWork(repository: Repository, at: number) {
  const tree = await treeOfWork(repository);
  if (typeof tree !== 'string') return tree;
  const cwd = repository.top;
  const head = await resolveCommit(cwd, 'HEAD');
  const commit = await gitText({
    cwd,
    dir: 'generated',
    args: ['commit-tree', tree, ...(head === undefined ? [] : ['-p', head]), '-F', '-'],
    input: 'Before changes were discarded\n',
    environment: await identityFor(cwd),
  });
  if (typeof commit !== 'string') return commit;
  const ref = `refs/rondo/discarded/${refName(new Date(at).toISOString())}`;
  const stored = await gitText({ cwd, dir: 'generated', args: ['update-ref', '--no-deref', ref, commit.trim()] });
  return typeof stored === 'string' ? ref : stored;
}

/** A remote's address may hold a password. */
function withoutSecret(text: string): string {
  return text.replaceAll(/(\w+:\/\/)[^\s/@]+@/g, '$1');
}
