/**
 * Deletes caches that no clone borrows objects from and that nobody opened for a month. A cache is touched before it
 * is used, and its folder is renamed before it is deleted, so a session that begins at that moment finds it whole or not
 * at all.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';

/** Notes that a cache is used now. */
export async function touchCache(folder: string): Promise<void> {
  const now = new Date();
  await utimes(path.join(folder, 'HEAD'), now, now);
}

export async function removeUnusedCaches(home: string): Promise<void> {
  const root = await realpath(path.join(home, 'repositories')).catch(() => '');
  const borrowed = await borrowedFolders(path.join(home, 'places'));
  for (const name of await names(root)) {
    const folder = path.join(root, name);
    // Unfinished and half deleted ones have no clones.
    const isUsed = borrowed.has(folder) || Date.now() - (await usedAt(folder)) < unusedMs;
    if (isUsed) continue;
    const gone = `${folder}.${randomBytes(4).toString('hex')}`;
    // If that fails, another process deletes it.
    await rename(folder, gone).then(
      () => rm(gone, { recursive: true, force: true }),
      () => undefined,
    );
  }
}

/** The caches whose objects clones use, those moved aside included. */
async function borrowedFolders(places: string): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  for (const session of await names(places)) {
    for (const clone of await names(path.join(places, session))) {
      const file = path.join(places, session, clone, '.git', 'objects', 'info', 'alternates');
      const text = await readFile(file, 'utf8').catch(() => '');
      for (const line of text.split('\n').filter((one) => one !== '')) {
        folders.add(path.dirname(await realpath(line).catch(() => line)));
      }
    }
  }
  return folders;
}

async function usedAt(folder: string): Promise<number> {
  const look = async (file: string) => (await stat(file)).mtimeMs;
  return await look(path.join(folder, 'HEAD')).catch(async () => look(folder).catch(() => Date.now()));
}

async function names(folder: string): Promise<readonly string[]> {
  return folder === '' ? [] : await readdir(folder).catch(() => []);
}

const unusedMs = 30 * 24 * 3_600_000;
