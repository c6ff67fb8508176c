/** The branches that sessions work on, for those that have a worktree of their own. */
import { getApi } from '../connection/api.ts';

export interface Branches {
  of(session: string): string | undefined;
}

interface Tree {
  readonly branch: string;
  readonly session?: string;
}

/** Asked for again when there are more or fewer sessions. */
export function createBranches(sessionCount: () => number): Branches {
  let known = $state.raw<ReadonlyMap<string, string>>(new Map());
  $effect(() => {
    if (sessionCount() === 0) return;
    void getApi<{ readonly worktrees: readonly Tree[] }>('/worktrees').then((answer) => {
      if (answer.type === 'problem') return;
      known = new Map(
        answer.value.worktrees.flatMap(({ session, branch }) =>
          session === undefined ? [] : [[session, branch]],
        ),
      );
    });
  });
  return { of: (session) => known.get(session) };
}
