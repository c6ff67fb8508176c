import { realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * Resolves a path as the system does. `path.resolve` drops `link/..`; the system follows the link first and ends up
 * above its target.
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
    // A path that doesn't exist yet has no link to follow.
    return file;
  }
}
