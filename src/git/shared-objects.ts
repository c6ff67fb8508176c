import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

import { findGitPlace } from './find-git-place.ts';

/**
 * The object folders that a clone borrows from Rondo's caches of repositories. A clone can name any folder as an
 * alternate, so only Rondo's own count.
 */
export async function sharedObjects(root: string, caches: string): Promise<readonly string[]> {
  const place = await findGitPlace(root);
  if (place.type !== 'place') return [];
  const file = path.join(place.commonDir, 'objects', 'info', 'alternates');
  const text = await readFile(file, 'utf8').catch(() => '');
  const named = text.split('\n').filter((line) => line !== '' && path.isAbsolute(line));
  const home = await realpath(caches).catch(() => undefined);
  const real = await Promise.all(named.slice(0, 10).map((one) => realpath(one).catch(() => undefined)));
  return real.flatMap((one) => {
    const isOurs =
      one !== undefined && path.basename(one) === 'objects' && path.dirname(path.dirname(one)) === home;
    return isOurs ? [one] : [];
  });
}
