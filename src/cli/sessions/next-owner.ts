import type { SessionId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';
import type { Store } from '../../ports/store.ts';
import { nodesAbleToRun } from '../../session/ownership/serving.ts';

/**
 * The command that resumes a session. A worker's session resumes with its job, so for a worker this is the command of
 * the top session that waits for it.
 */
async function resumeOf(store: Store, session: SessionId): Promise<string> {
  const [worker] = await store.jobs.workers({ session });
  const active = worker === undefined ? [] : await store.jobs.jobs({ worker: worker.id, which: 'active' });
  if (worker === undefined || active.length === 0) return `rondo run --session ${session}`;
  return worker.parent === undefined ? 'rondo jobs run' : resumeOf(store, worker.parent);
}

/** What resumes an answered session: a server that takes it over, or a command to run. */
export async function nextAfter(store: Store, state: State, storeFlag: string): Promise<NextOwner> {
  const resume = `${await resumeOf(store, state.id)}${storeFlag}`;
  const servers = nodesAbleToRun(state, await store.nodes.list()).map(({ name }) => name);
  return { resume, servers };
}

export interface NextOwner {
  /** The command that continues the session. */
  readonly resume: string;
  /** The names of the servers of which one continues it unasked. */
  readonly servers: readonly string[];
}
