/**
 * Blobs as files named by their hash. A file appears whole or not at all: it is written beside its
 * place, synced and renamed.
 */
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import type { BlobHash } from '../kernel/ids.ts';
import { blobHashOf } from './blob-hash.ts';
import type { Blobs } from './blobs.ts';
import { failureOf, faultOf } from './store-fault.ts';

export function createFileBlobs(folder: string): Blobs {
  let written = 0;

  async function write(hash: BlobHash, content: string): Promise<void> {
    const file = fileOf(folder, hash);
    if ((await read(file)) === content) return;
    await mkdir(path.dirname(file), { recursive: true });
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
