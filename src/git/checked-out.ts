import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { findGitPlace } from './find-git-place.ts';

/** What a folder has checked out, read without running git: a branch, or a commit's id. Undefined elsewhere. */
export async function checkedOut(
  folder: string,
): Promise<{ readonly branch: string } | { readonly commit: string } | undefined> {
  const place = await findGitPlace(folder);
  if (place.type !== 'place') return undefined;
  const head = (await readFile(path.join(place.gitDir, 'HEAD'), 'utf8').catch(() => '')).trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (branch !== undefined) return { branch };
  return head === '' ? undefined : { commit: head };
}

/** Undefined outside a repository or at a commit. */
export async function branchOfFolder(folder: string): Promise<string | undefined> {
  const out = await checkedOut(folder);
  return out !== undefined && 'branch' in out ? out.branch : undefined;
}
