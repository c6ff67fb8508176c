/**
 * Preserves files during a command that must be able to write next to them: compares them afterwards and restores
 * them. For paths that a sandbox can't make read-only.
 */
import { createHash } from 'node:crypto';
import { cp, lstat, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { linkOnTheWay } from '../paths/link-on-the-way.ts';

interface HeldPaths {
  /** Restores changed and deleted files, removes new ones, and returns their names. */
  restore(): Promise<readonly string[]>;
}

export async function holdPaths(files: readonly string[]): Promise<HeldPaths> {
  const before = await Promise.all(files.map((file) => digestOf(file)));
  const links = new Set(files.map((file) => linkOnTheWay('/', file)));
  const copies = await mkdtemp(path.join(os.tmpdir(), 'rondo-held-'));
  const copyOf = (index: number) => path.join(copies, String(index));
  await Promise.all(
    files.map(async (file, index) => {
      if (before[index] !== ABSENT) await cp(file, copyOf(index), COPYING);
    }),
  );
  return {
    async restore() {
      const changed: string[] = [];
      for (const [index, file] of files.entries()) {
        const link = linkOnTheWay('/', file);
        if (link !== undefined && !links.has(link)) await rm(link, { force: true });
        if ((await digestOf(file)) === before[index]) continue;
        await rm(file, { recursive: true, force: true });
        if (before[index] !== ABSENT) await cp(copyOf(index), file, COPYING);
        changed.push(file);
      }
      await rm(copies, { recursive: true, force: true });
      return changed;
    },
  };
}

const ABSENT = 'absent';
const COPYING = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true } as const;

async function digestOf(file: string): Promise<string> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats === undefined) return ABSENT;
  const hash = createHash('sha256').update(`${stats.mode}\0`);
  if (stats.isSymbolicLink()) return hash.update(await readlink(file)).digest('hex');
  if (stats.isFile()) return hash.update(await readFile(file)).digest('hex');
  if (!stats.isDirectory()) return 'special';
  for (const name of (await readdir(file)).toSorted())
    hash.update(`${name}\0${await digestOf(path.join(file, name))}\0`);
  return hash.digest('hex');
}
