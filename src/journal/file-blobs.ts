/**
 * Blobs as files named by their hash. A file appears whole or not at all: it is written beside its
 * place, synced and renamed. Its time says when it was put last: whoever puts what is there already
 * renews it and holds it, and one that is being removed is moved away first and looked at again, so that
 * a blob that was just put is never lost.
 */
import { mkdir, open, opendir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';

import type { BlobHash } from '../kernel/ids.ts';
import { blobHashOf } from './blob-hash.ts';
import type { BlobHolds } from './blob-holds.ts';
import type { Blobs } from './blobs.ts';
import { failureOf, faultOf } from './store-fault.ts';

export function createFileBlobs(folder: string, holds: BlobHolds): Blobs {
  let written = 0;

  async function write(hash: BlobHash, content: string): Promise<void> {
    const file = fileOf(folder, hash);
    if ((await read(file)) === content && (await renew(file))) return;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    written += 1;
    const temporary = `${file}.${process.pid}-${written}.part`;
    try {
      await writeSynced(temporary, content);
      await rename(temporary, file);
      await syncFolder(path.dirname(file));
    } finally {
      await rm(temporary, { force: true });
    }
  }

  return {
    async put(content) {
      const hash = blobHashOf(content);
      try {
        await holds.hold(hash);
        await write(hash, content);
      } catch (error) {
        throw faultOf(failureOf(error), `Writing blob ${hash}`, folder, error);
      }
      return hash;
    },
    async get(hash) {
      if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
      const content = await read(fileOf(folder, hash));
      return content === undefined || blobHashOf(content) !== hash ? undefined : content;
    },
    async *list() {
      const held = await holds.held();
      for await (const folderName of namesIn(folder)) {
        for await (const name of namesIn(path.join(folder, folderName))) {
          const hash = `${folderName}${name}` as BlobHash;
          const found = /^[0-9a-f]{64}$/.test(hash) ? await stats(fileOf(folder, hash)) : undefined;
          if (found !== undefined) yield { hash, size: found.size, putAt: found.mtimeMs, isHeld: held.has(hash) };
        }
      }
    },
    async remove(hash, { since }) {
      const file = fileOf(folder, hash);
      const before = await stats(file);
      if (before === undefined || before.mtimeMs >= since) return false;
      const away = `${file}.${process.pid}.away`;
      await rename(file, away);
      const moved = await stats(away);
      if (moved !== undefined && (moved.mtimeMs >= since || (await holds.held()).has(hash))) {
        await rename(away, file);
        return false;
      }
      await rm(away, { force: true });
      return true;
    },
  };
}

function fileOf(folder: string, hash: BlobHash): string {
  return path.join(folder, hash.slice(0, 2), hash.slice(2));
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'ENOENT') return undefined;
    throw faultOf(failure, 'Reading a blob', file, error);
  }
}

async function* namesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name;
  } catch (error) {
    if (!/^(ENOENT|ENOTDIR)$/.test(failureOf(error).code))
      throw faultOf(failureOf(error), 'Listing blobs', folder, error);
  }
}

async function stats(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (failureOf(error).code === 'ENOENT') return undefined;
    throw faultOf(failureOf(error), 'Looking at a blob', file, error);
  }
}

/** False where it is being removed at this moment. */
async function renew(file: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(file, now, now);
    return true;
  } catch (error) {
    if (failureOf(error).code === 'ENOENT') return false;
    throw error;
  }
}

async function writeSynced(file: string, content: string): Promise<void> {
  await using handle = await open(file, 'wx');
  await handle.writeFile(content);
  await handle.sync();
}

/** The new name is as durable as the content. Windows syncs no folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}
