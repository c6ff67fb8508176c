import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

/** Before SQLite opens a new store, so that its log and index get the same permissions. */
export function createPrivately(file: string): void {
  makeFolder(path.dirname(file));
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // It exists, or SQLite will report why it can't be created.
  }
}

/** One folder at a time: recursive creation loops forever where no folder can be made (`/proc`). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // another process was first
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
