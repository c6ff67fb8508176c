/** The branches of sessions that have a separate worktree. */
import { branchName } from '../changes/branch-name.ts';
import { getApi } from '../connection/api.ts';

export interface Branches {
  of(session: string): string | undefined;
}

interface Tree {
  readonly branch: string;
  readonly session?: string;
}

/** Reloads when the number of sessions changes. */
export function createBranches(sessionCount: () => number): Branches {
  let known = $state.raw<ReadonlyMap<string, string>>(new Map());
  $effect(() => {
    if (sessionCount() === 0) return;
    void getApi<{ readonly worktrees: readonly Tree[] }>('/worktrees').then((answer) => {
      if (answer.type === 'problem') return;
      known = new Map(
        answer.value.worktrees.flatMap(({ session, branch }) =>
          session === undefined ? [] : [[session, branchName(branch)]],
        ),
      );
    });
  });
  return { of: (session) => known.get(session) };
}
