import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/wrappers/bin', '/run/current-system/sw/bin'];

/**
 * A program that confines others, where the system keeps it. The PATH doesn't count: it may lead into a project, and
 * what a confined command puts there would be started to confine the next one.
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
