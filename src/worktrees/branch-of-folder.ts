import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { findGitPlace } from '../git/find-git-place.ts';

/** The branch that a folder has checked out, without running git. Undefined outside a repository or at a commit. */
export async function branchOfFolder(folder: string): Promise<string | undefined> {
  const place = await findGitPlace(folder);
  if (place.type !== 'place') return undefined;
  const head = await readFile(path.join(place.gitDir, 'HEAD'), 'utf8').catch(() => '');
  return /^ref: refs\/heads\/(.+?)\s*$/.exec(head)?.[1];
}
