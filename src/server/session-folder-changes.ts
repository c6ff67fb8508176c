/**
 * The branch of sessions' folders and the lines that each session changed itself, for rows of a list. Others may have
 * changed the same folder: its whole diff is that of `GET /sessions/{id}/diff`.
 */
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { FolderChanges } from '../views/session-row.ts';
import type { Backend, Catalog } from './backend.ts';
import type { SessionOutcomes } from './session-outcomes.ts';

interface ChangesParts extends Pick<Backend, 'sessions'> {
  readonly worktrees: Catalog['worktrees'];
  readonly outcomes: SessionOutcomes;
}

export async function sessionFolderChanges(
  { sessions, worktrees, outcomes }: ChangesParts,
  ids: readonly SessionId[],
): Promise<Readonly<Record<string, FolderChanges>>> {
  const own = await outcomes.of(ids);
  const changes = await Promise.all(
    ids.map(async (id): Promise<readonly (readonly [string, FolderChanges])[]> => {
      const session = await sessions.get(id);
      if (session === undefined) return [];
      const { cwd } = await session.status();
      const branch = cwd === '' ? undefined : await worktrees?.branchIn(cwd);
      const { added = 0, removed = 0 } = own[id] ?? {};
      return [[id, { added, removed, ...optional({ branch }) }]];
    }),
  );
  return Object.fromEntries(changes.flat());
}
