/**
 * The branch and changed lines of sessions' folders, for rows of a list. The lines are those of `GET
 * /sessions/{id}/diff`: the folder compared with its base. A session that changed nothing shows none, even if others
 * changed files in the same folder.
 */
import { setTimeout } from 'node:timers/promises';

import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import { isOwnWorktree, type FolderChanges } from '../views/session-row.ts';
import type { Backend, Catalog, ServerClock } from './backend.ts';
import type { SessionOutcomes } from './session-outcomes.ts';

interface SessionFolderChanges {
  of(sessions: readonly SessionId[]): Promise<Readonly<Record<string, FolderChanges>>>;
}

interface ChangesParts extends Pick<Backend, 'sessions'> {
  readonly worktrees: Catalog['worktrees'];
  readonly outcomes: SessionOutcomes;
  readonly clock: Pick<ServerClock, 'ticks'>;
}

type Sums = Omit<FolderChanges, 'branch'>;
const freshMs = 3000;
const patienceMs = 150;
const none: Sums = { added: 0, removed: 0 };
const pending: Sums = { ...none, isPending: true };

export function createSessionFolderChanges({
  sessions,
  worktrees,
  outcomes,
  clock,
}: ChangesParts): SessionFolderChanges {
  /** Sessions share folders, and git runs for one folder at a time. */
  const kept = new Map<string, { at: number; readonly sums: Promise<Sums> }>();
  let last: Promise<unknown> = Promise.resolve();

  function sumsIn(folder: string): Promise<Sums> {
    const had = kept.get(folder);
    if (had !== undefined && clock.ticks() - had.at < freshMs) return had.sums;
    const sums = last.then(() => read(folder));
    last = sums;
    // While git runs, everybody waits for the same answer.
    const entry = { at: Infinity, sums };
    void sums.then(() => (entry.at = clock.ticks()));
    kept.delete(folder);
    kept.set(folder, entry);
    const [oldest] = kept.keys();
    if (kept.size > 500 && oldest !== undefined) kept.delete(oldest);
    return sums;
  }
  async function read(folder: string): Promise<Sums> {
    const diff = await worktrees?.changesIn(folder).catch(() => undefined);
    if (diff === undefined || diff.type === 'refused') return none;
    return diff.changes.reduce(
      (sum, { added = 0, removed = 0 }) => ({ added: sum.added + added, removed: sum.removed + removed }),
      none,
    );
  }
  return {
    async of(ids) {
      const ownChanges = await outcomes.of(ids);
      const changes = await Promise.all(
        ids.map(async (id): Promise<readonly (readonly [string, FolderChanges])[]> => {
          const session = await sessions.get(id);
          if (session === undefined || worktrees === undefined) return [];
          const { cwd } = await session.status();
          if (cwd === '') return [];
          const { added = 0, removed = 0 } = ownChanges[id] ?? {};
          const isChanged = added > 0 || removed > 0 || isOwnWorktree(cwd);
          const branch = await worktrees.branchIn(cwd);
          const sums = isChanged
            ? await Promise.race([sumsIn(cwd), setTimeout(patienceMs, pending, { ref: false })])
            : none;
          return [[id, { ...sums, ...optional({ branch }) }]];
        }),
      );
      return Object.fromEntries(changes.flat());
    },
  };
}
