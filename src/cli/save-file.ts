import path from 'node:path';

import type { CommandPlace } from '../commands/command.ts';

/** Saves a command's file in a folder. */
export function saveIn(folder: string): CommandPlace['save'] {
  return async ({ name, pieces }) => {
    const { writePieces } = await import('../upkeep/write-pieces.ts');
    const file = path.resolve(folder, name);
    await writePieces(pieces, file);
    return file;
  };
}
