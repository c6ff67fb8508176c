/** Which sessions belong to today: those that changed, and those that work or wait since an earlier day. */
import type { DirectoryState } from '../../../src/views/directory.ts';
import type { SessionRow } from '../../../src/views/session-row.ts';

/** Each once, in the given order. */
export function rowsOfToday(found: readonly SessionRow[], since: number): readonly SessionRow[] {
  const rows = new Map(found.map((row) => [row.session, row]));
  return [...rows.values()].filter(
    ({ turns, state, team, updatedAt }) =>
      isActive(state) || (team?.waiting ?? 0) > 0 || (turns > 0 && updatedAt >= since),
  );
}

export function isActive(state: DirectoryState): boolean {
  return state === 'waiting' || state === 'running' || state === 'cancelling';
}
