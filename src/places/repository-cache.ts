/**
 * One bare repository per address and home, shared by the clones of all its sessions through alternates.
 *
 * 1. Rondo writes it and nobody else: its configuration never comes from a remote or an agent, so git may use the
 *    user's credentials in it.
 * 2. Nothing in it is ever repacked or pruned, so concurrent sessions don't interfere. Not even `git gc`, run by a person,
 *    deletes commits that a clone may need and no branch holds any more. It is deleted as a whole after
 *    a month without use, if no clone refers to it (`unused-caches.ts`).
 */
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import type { GitCall, GitFailure } from '../git/git-call.ts';
import { gitText } from '../git/run-git.ts';
import { fileExists } from './file-exists.ts';
import { touchCache } from './unused-caches.ts';

export interface RepositoryCache {
  readonly folder: string;
  readonly url: string;
}

interface RepositoryAddress {
  readonly url: string;
  readonly name: string;
}

export function cacheFolder(home: string, { url, name }: RepositoryAddress): string {
  const hash = createHash('sha256').update(url).digest('hex').slice(0, 12);
  return path.join(home, 'repositories', `${name}-${hash}.git`);
}

/** The cache of an address, whatever was fetched into it. */
export async function openCache(home: string, address: RepositoryAddress): Promise<RepositoryCache | GitFailure> {
  return (
    (await existingCache(home, address)) ?? (await putInPlace(home, address, await emptyCache(home, address)))
  );
}

/**
 * The cache of an address with today's branches and tags. A new one appears once it is fetched, so an address that can't
 * be reached leaves nothing behind, and no other session meets an empty cache.
 */
export async function openFetchedCache(
  home: string,
  address: RepositoryAddress,
): Promise<RepositoryCache | GitFailure> {
  const existing = await existingCache(home, address);
  const cache = existing ?? (await emptyCache(home, address));
  if ('type' in cache) return cache;
  const failed = await fetchCache(cache);
  if (existing !== undefined) return failed ?? cache;
  if (failed === undefined) return await putInPlace(home, address, cache);
  await rm(cache.folder, { recursive: true, force: true });
  return failed;
}

async function existingCache(home: string, address: RepositoryAddress): Promise<RepositoryCache | undefined> {
  const folder = cacheFolder(home, address);
  if (!(await fileExists(path.join(folder, 'HEAD')))) return undefined;
  await touchCache(folder);
  return { folder, url: address.url };
}

/** Beside its place, where nobody looks for it. */
async function emptyCache(home: string, address: RepositoryAddress): Promise<RepositoryCache | GitFailure> {
  const folder = `${cacheFolder(home, address)}.${randomBytes(4).toString('hex')}`;
  await mkdir(path.dirname(folder), { recursive: true });
  const made = await gitText({ cwd: home, dir: 'own', args: ['init', '--quiet', '--bare', folder] });
  if (typeof made !== 'string') return made;
  await appendFile(path.join(folder, 'config'), unpruned);
  return { folder, url: address.url };
}

async function putInPlace(
  home: string,
  address: RepositoryAddress,
  made: RepositoryCache | GitFailure,
): Promise<RepositoryCache | GitFailure> {
  if ('type' in made) return made;
  const folder = cacheFolder(home, address);
  try {
    await rename(made.folder, folder);
  } catch {
    // Another session was first. What it fetched is as new.
    await rm(made.folder, { recursive: true, force: true });
  }
  return { folder, url: address.url };
}

/** Brings branches and tags up to date. A rejected ref lock is another session that fetches, so it retries. */
async function fetchCache(cache: RepositoryCache): Promise<GitFailure | undefined> {
  const refs = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
  for (let attempt = 1; ; attempt += 1) {
    const fetched = await gitText(
      remoteCall(cache, ['fetch', '--quiet', '--no-tags', '--prune', cache.url, ...refs]),
    );
    if (typeof fetched === 'string') return undefined;
    if (attempt === mostAttempts || !/lock|File exists/i.test(fetched.message)) return unreachable(cache, fetched);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 400 * attempt));
  }
}

/** The commit of a branch, tag or commit id, or of the remote's default branch. */
export async function resolveBase(cache: RepositoryCache, ref: string | undefined): Promise<string | GitFailure> {
  const names = ref === undefined ? await defaultBranch(cache) : [ref, `origin/${ref}`, `refs/tags/${ref}`];
  if ('type' in names) return names;
  for (const name of ref === undefined ? names : [`refs/remotes/origin/${ref}`, ...names]) {
    const commit = await gitText(
      ownCall(cache, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]),
    );
    if (typeof commit === 'string') return commit.trim();
  }
  if (ref !== undefined && isCommitId(ref)) return await fetchCommit(cache, ref);
  const what =
    ref === undefined ? 'It has no default branch with commits' : `It has no branch, tag or commit ${ref}`;
  return { type: 'failed', message: `Can't use repository ${cache.url}: ${what}.` };
}

/** True if a branch or tag of the remote holds the commit, or if that can't be found out. */
export async function isOnRemote(cache: RepositoryCache, commit: string): Promise<boolean> {
  if ((await fetchCache(cache)) !== undefined) return true;
  const refs = ['refs/remotes/origin', 'refs/tags'];
  const holders = await gitText(ownCall(cache, ['for-each-ref', '--count=1', `--contains=${commit}`, ...refs]));
  return holders !== '';
}

/** Makes sure that a commit is in the cache, even if no branch of the remote holds it any more. */
export async function fetchCommit(cache: RepositoryCache, commit: string): Promise<string | GitFailure> {
  const isHere = await gitText(ownCall(cache, ['cat-file', '-e', `${commit}^{commit}`]));
  if (typeof isHere === 'string') return commit;
  const fetched = await gitText(remoteCall(cache, ['fetch', '--quiet', '--no-tags', cache.url, commit]));
  if (typeof fetched === 'string') return commit;
  return {
    type: 'failed',
    message: `Commit ${commit} is no longer in ${cache.url}: ${fetched.message} Push a branch or tag with it, then retry.`,
  };
}

export function ownCall({ folder }: RepositoryCache, args: readonly string[]): GitCall {
  return { cwd: folder, dir: 'own', args, environment: { GIT_DIR: folder }, timeoutMs: longMs };
}

export function remoteCall({ folder }: RepositoryCache, args: readonly string[]): GitCall {
  return { cwd: folder, dir: 'remote', args, environment: { GIT_DIR: folder }, timeoutMs: longMs };
}

async function defaultBranch(cache: RepositoryCache): Promise<readonly string[] | GitFailure> {
  const text = await gitText(remoteCall(cache, ['ls-remote', '--symref', cache.url, 'HEAD']));
  if (typeof text !== 'string') return unreachable(cache, text);
  const [, branch] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(text) ?? [];
  const [, commit] = /^([0-9a-f]{40,64})\tHEAD$/m.exec(text) ?? [];
  return [
    ...(branch === undefined ? [] : [`refs/remotes/origin/${branch}`]),
    ...(commit === undefined ? [] : [commit]),
  ];
}

function unreachable({ url }: RepositoryCache, { message }: GitFailure): GitFailure {
  return {
    type: 'failed',
    message: `Can't reach repository ${url}: ${message} Check the address and this machine's git credentials.`,
  };
}

function isCommitId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

const unpruned = '[gc]\n\tauto = 0\n\tpruneExpire = never\n[maintenance]\n\tauto = false\n';
const mostAttempts = 5;
const longMs = 30 * 60_000;
