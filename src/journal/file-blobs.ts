/**
 * Blobs as files named by their hash. A file appears atomically: it is written beside its place, synced and
 * renamed, and its folder is synced, before `put` answers. Its modification time is the time of the last `put`.
 */
import { createHash, randomUUID } from 'node:crypto';
import * as disk from 'node:fs/promises';
import path from 'node:path';

import type { BlobHash } from '../kernel/ids.ts';
import { blobHashOf, isBlobHash } from './blob-hash.ts';
import type { Blobs } from '../ports/blobs.ts';
import { failureOf, faultOf } from './store-fault.ts';

export interface FileBlobs extends Blobs {
  /** Deletes what processes left that died while writing or deleting. */
  clean(leftovers: { readonly before: number }): Promise<void>;
}

/** The disk operations that blobs need. */
export type BlobDisk = Pick<typeof disk, 'mkdir' | 'open' | 'rename' | 'utimes'>;

export function createFileBlobs(folder: string, { mkdir, open, rename, utimes }: BlobDisk = disk): FileBlobs {
  const durable = new Set<string>();
  // Unique beyond this process: pids are used again, and containers that share a store have the same ones.
  const newPart = () => path.join(folder, `${randomUUID()}.part`);

  async function keep(content: string | Uint8Array): Promise<BlobHash> {
    const hash = blobHashOf(content);
    if (await renew(hash)) return hash;
    return place(hash, async (part) => {
      await using handle = await open(part, 'wx');
      await handle.writeFile(content);
      await handle.sync();
      return hash;
    });
  }

  async function keepStream(content: AsyncIterable<Uint8Array>): Promise<BlobHash> {
    return place(undefined, async (part) => {
      const hash = createHash('sha256');
      await using handle = await open(part, 'wx');
      for await (const chunk of content) {
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
      await handle.sync();
      return hash.digest('hex') as BlobHash;
    });
  }

  async function place(hash: BlobHash | undefined, write: (part: string) => Promise<BlobHash>): Promise<BlobHash> {
    await makeFolder(hash === undefined ? folder : path.dirname(fileOf(folder, hash)));
    const part = newPart();
    try {
      const hash = await write(part);
      const file = fileOf(folder, hash);
      await makeFolder(path.dirname(file));
      await rename(part, file);
      await syncFolder(path.dirname(file));
      return hash;
    } finally {
      await disk.rm(part, { force: true });
    }
  }

  /** False if it isn't stored completely or is being deleted. */
  async function renew(hash: BlobHash): Promise<boolean> {
    const file = fileOf(folder, hash);
    const kept = await read(file);
    if (kept === undefined || blobHashOf(kept) !== hash) return false;
    const now = new Date();
    try {
      await utimes(file, now, now);
    } catch (error) {
      if (failureOf(error).code === 'ENOENT') return false;
      throw error;
    }
    // Its writer may have died before its name was on disk.
    await makeFolder(path.dirname(file));
    await syncFolder(path.dirname(file));
    return true;
  }

  /** Makes the folder's own name durable too: the process that created it may have died before that. */
  async function makeFolder(wanted: string): Promise<void> {
    const made = await mkdir(wanted, { recursive: true, mode: 0o700 });
    if (made === undefined && durable.has(wanted)) return;
    if (wanted !== folder) await syncFolder(folder);
    await syncFolder(path.dirname(folder));
    durable.add(wanted).add(folder);
  }

  /** Windows can't sync folders. */
  async function syncFolder(synced: string): Promise<void> {
    if (process.platform === 'win32') return;
    await using handle = await open(synced, 'r');
    await handle.sync();
  }

  async function bytes(hash: BlobHash): Promise<Buffer | undefined> {
    if (!isBlobHash(hash)) return undefined;
    const content = await read(fileOf(folder, hash));
    return content === undefined || blobHashOf(content) !== hash ? undefined : content;
  }

  return {
    async put(content) {
      try {
        const isWhole = typeof content === 'string' || content instanceof Uint8Array;
        return await (isWhole ? keep(content) : keepStream(content));
      } catch (error) {
        throw faultOf(failureOf(error), 'Writing a blob', folder, error);
      }
    },
    get: async (hash) => (await bytes(hash))?.toString('utf8'),
    bytes,
    async *list() {
      for await (const [subfolder, name] of namesWithin(folder)) {
        const hash = `${subfolder}${name}`;
        const entry = isBlobHash(hash) ? await stats(fileOf(folder, hash)) : undefined;
        if (entry !== undefined)
          yield { hash: hash as BlobHash, size: entry.size, putAt: Math.floor(entry.mtimeMs) };
      }
    },
    async clean({ before }) {
      // Earlier versions recorded here which process was about to name which blob.
      await disk.rm(path.join(folder, 'held'), { recursive: true, force: true });
      for await (const [subfolder, name] of namesWithin(folder)) {
        if (!/\.(part|away)$/.test(name)) continue;
        const file = path.join(folder, subfolder, name);
        const entry = await stats(file);
        if (entry !== undefined && entry.mtimeMs < before) await disk.rm(file, { force: true });
      }
    },
  };
}

export function fileOf(folder: string, hash: string): string {
  return path.join(folder, hash.slice(0, 2), hash.slice(2));
}

async function read(file: string): Promise<Buffer | undefined> {
  try {
    return await disk.readFile(file);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'ENOENT') return undefined;
    throw faultOf(failure, 'Reading a blob', file, error);
  }
}

/** Files in the folder (with an empty first part) and in its subfolders. */
async function* namesWithin(folder: string): AsyncGenerator<readonly [subfolder: string, name: string]> {
  for await (const entry of entriesIn(folder)) {
    if (!entry.isDirectory()) yield ['', entry.name];
    else for await (const { name } of entriesIn(path.join(folder, entry.name))) yield [entry.name, name];
  }
}

async function* entriesIn(folder: string) {
  try {
    yield* await disk.opendir(folder);
  } catch (error) {
    if (failureOf(error).code !== 'ENOENT') throw faultOf(failureOf(error), 'Listing blobs', folder, error);
  }
}

async function stats(file: string) {
  try {
    return await disk.stat(file);
  } catch (error) {
    if (failureOf(error).code === 'ENOENT') return undefined;
    throw faultOf(failureOf(error), 'Looking at a blob', file, error);
  }
}
