import path from 'node:path';

/** True if a path is the folder or lies in it. */
export function isBelow(candidate: string, root: string): boolean {
  const relative = path.relative(root, candidate);
  return (
    relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  );
}
