/** A branch as people read it: without the prefix that Rondo gives its own. */
export function branchName(branch: string): string {
  return branch.replace(/^rondo\//, '');
}
