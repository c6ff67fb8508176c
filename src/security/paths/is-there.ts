import { lstat } from 'node:fs/promises';

/** True for a link too, wherever it leads. */
export async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}
