import path from 'node:path';

/** Whether a path is a folder or anything in it. */
export function isBelow(candidate: string, root: string): boolean {
  const relative = path.relative(root, candidate);
  return (
    relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  );
}
