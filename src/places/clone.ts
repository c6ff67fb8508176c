/** A session's clone: a work tree and branch of its own, with objects from the shared cache. */
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { GitFailure } from '../git/git-call.ts';
import { gitText } from '../git/run-git.ts';
import type { RepositoryCache } from './repository-cache.ts';

interface CloneRequest {
  readonly cache: RepositoryCache;
  /** The clone's final folder. It must not exist. */
  readonly folder: string;
  readonly base: string;
  readonly branch: string;
  /** Called with the unfinished clone before it is moved to its folder. */
  fill?(folder: string): Promise<GitFailure | undefined>;
}

/** The clone appears whole or not at all. */
export async function cloneFromCache(request: CloneRequest): Promise<GitFailure | undefined> {
  const { folder } = request;
  const unfinished = `${folder}.${randomBytes(4).toString('hex')}`;
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
  const problem = await fillClone(unfinished, request);
  if (problem === undefined) await rename(unfinished, folder);
  else await rm(unfinished, { recursive: true, force: true });
  return problem;
}

async function fillClone(folder: string, request: CloneRequest): Promise<GitFailure | undefined> {
  const { cache, base, branch } = request;
  const gitDir = path.join(folder, '.git');
  const made = await gitText({
    cwd: path.dirname(folder),
    dir: 'own',
    args: ['init', '--quiet', `--initial-branch=${branch}`, folder],
  });
  if (typeof made !== 'string') return made;
  await mkdir(path.join(gitDir, 'objects', 'info'), { recursive: true });
  await writeFile(path.join(gitDir, 'objects', 'info', 'alternates'), `${path.join(cache.folder, 'objects')}\n`);
  await appendFile(
    path.join(gitDir, 'config'),
    `[remote "origin"]\n\turl = ${JSON.stringify(cache.url)}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[gc]\n\tauto = 0\n`,
  );
  const own = { cwd: folder, dir: 'own', environment: { GIT_DIR: gitDir, GIT_WORK_TREE: folder } } as const;
  const outcome = await gitText({
    ...own,
    args: ['fetch', '--quiet', '--no-tags', cache.folder, ...mirrored],
    timeoutMs: longMs,
  });
  if (typeof outcome !== 'string') return outcome;
  const checkedOut = await gitText({
    cwd: folder,
    dir: 'repository',
    args: ['checkout', '--quiet', '-B', branch, base],
    timeoutMs: longMs,
  });
  if (typeof checkedOut !== 'string') return checkedOut;
  return await request.fill?.(folder);
}

const mirrored = ['refs/remotes/origin/*', 'refs/tags/*'].map((refs) => `+${refs}:${refs}`);
const longMs = 30 * 60_000;
