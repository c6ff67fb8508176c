/** Checks the free disk space for the store. */
import { statfs } from 'node:fs/promises';
import path from 'node:path';

import { sizeText } from '../../wording/size.ts';
import type { Finding } from './doctor-finding.ts';

/** Below the first, writes may fail. Below the second, a day of work may not fit. */
const needed = 5 * 1024 ** 2;
const comfortable = 200 * 1024 ** 2;

export async function checkSpace(folder: string): Promise<Omit<Finding, 'what'>> {
  const { bavail, bsize } = await statfs(await existing(folder));
  return spaceFinding(bavail * bsize, folder);
}

export function spaceFinding(free: number, folder: string): Omit<Finding, 'what'> {
  const left = `${sizeText(free)} free in ${folder}`;
  if (free >= comfortable) return { health: 'good', found: left };
  const advice = 'free some space there; `rondo prune --older-than 30d` lists old sessions to remove';
  if (free >= needed) return { health: 'missing', found: `the disk is nearly full: ${left}`, advice };
  return { health: 'broken', found: `the disk is full: ${left}; Rondo can't write sessions`, advice };
}

/** On a first start the folder doesn't exist yet, so use its nearest existing parent. */
async function existing(folder: string): Promise<string> {
  const isThere = await statfs(folder).then(
    () => true,
    () => false,
  );
  return isThere || path.dirname(folder) === folder ? folder : existing(path.dirname(folder));
}
