import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Repository } from './repository.ts';
import type { Worktree } from './worktree.ts';

/** Rondo's records of a repository's worktrees, shared by all its work trees. */
type Place = Pick<Repository, 'commonDir'>;

export async function readRecords(repository: Place): Promise<readonly Worktree[]> {
  const names = await readdir(folderOf(repository)).catch((): string[] => []);
  const records = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map((name) => readRecord(repository, name.slice(0, -'.json'.length))),
  );
  return records
    .flatMap((record) => record ?? [])
    .toSorted((one, other) => one.createdAt - other.createdAt || (one.name < other.name ? -1 : 1));
}

export async function readRecord(repository: Place, name: string): Promise<Worktree | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(repository, name), 'utf8')) as Worktree;
  } catch {
    // Missing or unreadable. Git still lists the worktree, so reconciling finds it again.
    return undefined;
  }
}

export async function writeRecord(repository: Place, record: Worktree): Promise<void> {
  const file = fileOf(repository, record.name);
  const beside = `${file}.${randomBytes(6).toString('hex')}`;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(beside, `${JSON.stringify(record, undefined, 2)}\n`, { flush: true });
  await rename(beside, file);
}

export async function dropRecord(repository: Place, name: string): Promise<void> {
  await rm(fileOf(repository, name), { force: true });
}

export function leaseFolder(repository: Place, name: string): string {
  return path.join(repository.commonDir, 'rondo', 'leases', name);
}

function folderOf(repository: Place): string {
  return path.join(repository.commonDir, 'rondo', 'worktrees');
}

function fileOf(repository: Place, name: string): string {
  return path.join(folderOf(repository), `${name}.json`);
}
