import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/wrappers/bin', '/run/current-system/sw/bin'];

/**
 * Returns the system's copy of a program that sandboxes others. Ignores the PATH, which may lead into a project: a
 * sandboxed command could put a program there that Rondo would then start to sandbox the next command.
 */
export function systemProgram(name: string): string {
  for (const folder of FOLDERS) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      continue;
    }
  }
  return path.join('/usr/bin', name);
}
