/** Workers and jobs of a store, for commands that run none of them. */
import type { Store } from '../../ports/store.ts';
import { loadSession } from '../../session/read/load-session.ts';
import type { JobView, WorkerView } from '../../ports/workforce.ts';
import { jobViews, workerViews, type WorkforceSource } from '../../workers/workforce-view.ts';

export function workersIn(store: Store, now: number): Promise<readonly WorkerView[]> {
  return workerViews(sourceOf(store), now);
}

export function jobsIn(
  store: Store,
  query: { readonly which: 'listed' | 'all'; readonly now: number },
): Promise<readonly JobView[]> {
  return jobViews(sourceOf(store), query);
}

function sourceOf({ jobs: queue, journal }: Store): WorkforceSource {
  return { queue, stateOf: async (session) => (await loadSession(journal, session))?.state };
}
