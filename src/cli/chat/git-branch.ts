import { checkedOut } from '../../git/checked-out.ts';

/** A folder's branch, or the first digits of its commit. Undefined outside a repository. */
export async function gitBranch(folder: string): Promise<string | undefined> {
  const out = await checkedOut(folder);
  if (out === undefined) return undefined;
  return 'branch' in out ? out.branch : out.commit.slice(0, 8);
}
