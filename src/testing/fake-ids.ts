import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import type { Ids } from '../ports/ids.ts';

/** Sequential ids (`ses_000000000001`, `wrk_…`), so that a test can state them. */
export function createFakeIds(): Ids {
  const counts = new Map<string, number>();
  const next = (kind: string) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}_${String(count).padStart(12, '0')}`;
  };
  return {
    session: () => next('ses') as SessionId,
    worker: () => next('wrk') as WorkerId,
    job: () => next('job') as JobId,
    unique: () => next('key'),
  };
}
