/**
 * The names in a folder for completion, without those that ignore rules exclude. The index fills in the background
 * in small steps, answers from what it has so far, and is filled again when it is old.
 */
import { realpath } from 'node:fs/promises';
import { setImmediate as nextStep, setTimeout as pause } from 'node:timers/promises';

import { walkFiles } from './walk-files.ts';
import { createNameIndex, type NameIndex } from './name-index.ts';

export interface FileIndex {
  search(query: {
    readonly root: string;
    readonly cwd: string;
    readonly q: string;
    readonly limit: number;
  }): Promise<readonly string[]>;
}

/** Entries read between two turns of the event loop. */
const stepEntries = 500;
const mostNames = 500_000;
const freshMs = 5000;
/** How long the first search waits for a small folder. */
const firstMs = 100;

interface Filled {
  current: NameIndex;
  readAt: number;
  filling: Promise<void> | undefined;
}

export function createFileIndex(now: () => number = Date.now): FileIndex {
  const folders = new Map<string, Filled>();

  async function fill(root: string, cwd: string, folder: Filled): Promise<void> {
    const isFirst = folder.current.size === 0;
    const index = isFirst ? folder.current : createNameIndex();
    let seen = 0;
    for (const { relative, kind } of walkFiles({ root, start: await realpath(cwd) })) {
      // A link may lead out of the folder.
      if (kind !== 'link') index.add(kind === 'folder' ? `${relative}/` : relative);
      seen += 1;
      if (seen >= mostNames) break;
      if (seen % stepEntries === 0) await nextStep();
    }
    folder.current = index;
    folder.readAt = now();
  }

  return {
    async search({ root, cwd, q, limit }) {
      const folder = folders.get(cwd) ?? { current: createNameIndex(), readAt: 0, filling: undefined };
      folders.set(cwd, folder);
      const isFirst = folder.readAt === 0;
      if (now() - folder.readAt > freshMs)
        folder.filling ??= fill(root, cwd, folder)
          // A folder that is gone has no names.
          .catch(() => undefined)
          .finally(() => {
            folder.filling = undefined;
          });
      if (isFirst) await Promise.race([folder.filling, pause(firstMs, undefined, { ref: false })]);
      return folder.current.search(q, limit);
    },
  };
}
