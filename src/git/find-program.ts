import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the absolute path of a program on the PATH. Ignores entries that are relative or lead into one of the
 * folders, because a project could put its own program there.
 */
export function findProgram(
  name: string,
  searched: string | undefined,
  outside: readonly string[],
): string | undefined {
  for (const folder of (searched ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    for (const ending of process.platform === 'win32' ? ['.exe', '.cmd'] : ['']) {
      const file = path.join(folder, name + ending);
      try {
        accessSync(file, constants.X_OK);
        if (!statSync(file).isFile()) continue;
        const real = realpathSync(file);
        if (!outside.some((root) => real === root || real.startsWith(root + path.sep))) return file;
      } catch {
        continue;
      }
    }
  }
  return undefined;
}
