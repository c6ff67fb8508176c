import { copyFile, stat, utimes } from 'node:fs/promises';

/**
 * git trusts an entry only if the file is older than the index, so a copy must not look newer than the
 * index it was made of.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(from);
    await copyFile(from, to);
    const seconds = Math.floor(mtimeMs / 1000);
    await utimes(to, seconds, seconds);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
