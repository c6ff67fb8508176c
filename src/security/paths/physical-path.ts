import { realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * Where the system goes for a path. `path.resolve` takes `link/..` for nothing; the system follows the link first and
 * ends up above what it leads to.
 */
export function physicalPath(base: string, requested: string): string {
  if (!climbs(requested)) return path.resolve(base, requested);
  let at = path.isAbsolute(requested) ? path.parse(requested).root : path.resolve(base);
  for (const part of requested.split(path.sep)) {
    if (part === '' || part === '.') continue;
    at = part === '..' ? path.dirname(realOr(at)) : path.join(at, part);
  }
  return at;
}

function climbs(requested: string): boolean {
  return requested.split(path.sep).includes('..');
}

function realOr(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // What isn't there yet has no link to follow.
    return file;
  }
}
