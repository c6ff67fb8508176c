/**
 * Blobs that were put so lately that the record which names them may still be on its way. Whoever clears up leaves
 * them alone, in whatever process it is done.
 *
 * 1. A blob is held before it is looked for or written, and for an hour at least.
 * 2. Hours are those of the machine since it started: setting its clock ends no hold.
 * 3. What a process held that is gone is held no more; it will write no record.
 *
 * One file a process and hour, in each line what is held and by whom. It means nothing once the machine is
 * restarted, so none of it is synced.
 */
import { appendFile, mkdir, opendir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import type { BlobHash } from '../kernel/ids.ts';
import type { Owner } from './lease.ts';
import { failureOf, faultOf } from './store-fault.ts';

export interface BlobHolds {
  hold(hash: BlobHash): Promise<void>;
  held(): Promise<ReadonlySet<BlobHash>>;
  /** Lets go of what this process holds. */
  close(): Promise<void>;
}

export interface HoldParts {
  readonly folder: string;
  readonly self: () => Owner;
  /** Milliseconds since the machine started. */
  readonly uptime: () => number;
  readonly isGone: (owner: Owner) => boolean;
}

const hourMs = 3_600_000;

export function createBlobHolds({ folder, self, uptime, isGone }: HoldParts): BlobHolds {
  const own = new Set<string>();
  const thisHour = () => Math.floor(uptime() / hourMs);

  async function heldIn(file: string, hour: number): Promise<readonly BlobHash[]> {
    const holds = (await readFile(file, 'utf8').catch(() => '')).split('\n').flatMap(holdIn);
    const owner = holds[0]?.owner;
    if (owner === undefined) return [];
    const isOver = hour < thisHour() - 1 || (owner.id !== self().id && isGone(owner));
    if (!isOver) return holds.map(({ hash }) => hash);
    await rm(file, { force: true });
    return [];
  }

  return {
    async hold(hash) {
      const file = path.join(folder, `${thisHour()}.${self().id}`);
      const line = `${JSON.stringify({ hash, owner: self() })}\n`;
      try {
        await appendFile(file, line);
      } catch (error) {
        if (failureOf(error).code !== 'ENOENT') throw error;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await appendFile(file, line);
      }
      own.add(file);
    },
    async held() {
      const all = new Set<BlobHash>();
      for (const name of await namesIn(folder)) {
        const hour = Number(name.split('.')[0]);
        for (const hash of await heldIn(path.join(folder, name), hour)) all.add(hash);
      }
      return all;
    },
    async close() {
      for (const file of own) await rm(file, { force: true });
    },
  };
}

/** Nothing where a process died while it wrote the line. */
function holdIn(line: string): readonly { readonly hash: BlobHash; readonly owner: Owner }[] {
  try {
    return [JSON.parse(line) as { readonly hash: BlobHash; readonly owner: Owner }];
  } catch {
    return [];
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await Array.fromAsync(await opendir(folder), ({ name }) => name);
  } catch (error) {
    if (failureOf(error).code === 'ENOENT') return [];
    throw faultOf(failureOf(error), 'Looking for blobs that are being written', folder, error);
  }
}
