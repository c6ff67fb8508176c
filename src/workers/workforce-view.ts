/** Workers and jobs as people see them. Read-only: never claims, takes over or starts anything. */
import type { JobQuery, JobQueue, JobRow } from '../ports/job-queue.ts';
import type { JobView, ParentView, WorkerView } from '../ports/workforce.ts';
import { hasEnded } from '../journal/job-queue-state.ts';
import { spendingBetween, spendingOf } from '../kernel/budget.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { State } from '../kernel/state.ts';
import { budgetLinesOf } from '../views/budget-lines.ts';
import { doingIn } from '../views/doing.ts';
import { workerStateOf } from './worker-state.ts';
import { optional } from '../kernel/optional.ts';

export interface WorkforceSource {
  readonly queue: Pick<JobQueue, 'workers' | 'jobs'>;
  readonly stateOf: (session: SessionId) => Promise<State | undefined>;
}

export async function workerViews(
  { queue, stateOf }: WorkforceSource,
  now: number,
): Promise<readonly WorkerView[]> {
  const [workers, jobs] = await Promise.all([queue.workers(), queue.jobs({ which: 'all' })]);
  return Promise.all(
    workers.map(async ({ id, name, kind, session, parent, ...row }): Promise<WorkerView> => {
      const state = session === undefined ? undefined : await stateOf(session);
      const own = jobs.filter(({ worker }) => worker === id);
      const agent = row.agent ?? state?.agent.name;
      const model = row.model ?? state?.agent.model;
      return {
        id,
        name,
        kind,
        ...optional({ agent, model }),
        state: state === undefined ? 'inactive' : workerStateOf(state, { isStreaming: false }),
        jobs: { active: own.filter((job) => !hasEnded(job.state)).length, all: own.length },
        ...optional({ session, parent }),
        ...activityOf(
          state,
          now,
          own.find((job) => job.state === 'running'),
        ),
      };
    }),
  );
}

/** The sessions that have workers and aren't workers themselves. */
export async function parentViews(
  { queue, stateOf }: WorkforceSource,
  now: number,
): Promise<readonly ParentView[]> {
  const workers = await queue.workers();
  const own = new Set(workers.map(({ session }) => session));
  const parents = new Set(
    workers.flatMap(({ parent }) => (parent === undefined || own.has(parent) ? [] : parent)),
  );
  return Promise.all(
    [...parents].map(async (session) => ({ session, ...activityOf(await stateOf(session), now) })),
  );
}

function activityOf(state: State | undefined, now: number, job?: JobRow): Pick<WorkerView, 'doing' | 'budget'> {
  if (state === undefined) return { doing: [], budget: [] };
  const wall =
    job?.run === undefined || job.deadline === undefined
      ? undefined
      : { from: job.run.startedAt, until: job.deadline };
  return {
    doing: doingIn(state).map(({ words }) => words),
    budget: budgetLinesOf(state, now, wall),
  };
}

export async function jobViews(
  source: WorkforceSource,
  { now, ...query }: JobQuery & { readonly now: number },
): Promise<readonly JobView[]> {
  return viewsOf(source, await source.queue.jobs({ which: 'listed', ...query }), now);
}

export async function viewsOf(
  { queue, stateOf: load }: WorkforceSource,
  rows: readonly JobRow[],
  now: number,
): Promise<readonly JobView[]> {
  const workers = await queue.workers();
  const names = new Map(workers.map(({ id, name }) => [id, name]));
  const loading = new Map<SessionId, Promise<State | undefined>>();
  const stateOf = (session: SessionId) => {
    const state = loading.get(session) ?? load(session);
    loading.set(session, state);
    return state;
  };
  return Promise.all(
    rows.map(async (row): Promise<JobView> => {
      const { id, worker, priority, prompt, after, run, ending, parent } = row;
      const state = run === undefined ? undefined : await stateOf(run.session);
      const spent = spentBy(row, state);
      return {
        id,
        // An ephemeral worker is gone after its job, but its session keeps the name.
        worker: names.get(worker) ?? state?.title ?? worker,
        state: row.cancel !== undefined && !hasEnded(row.state) ? 'cancelling' : row.state,
        priority,
        prompt,
        after,
        ...(run !== undefined && { elapsedMs: (row.endedAt ?? now) - run.startedAt }),
        ...optional({ spent, ending, session: run?.session, parent }),
      };
    }),
  );
}

function spentBy({ run, spent }: JobRow, state: State | undefined): JobView['spent'] {
  if (run === undefined || state === undefined) return undefined;
  const used = spent ?? spendingBetween(run.spentBefore, spendingOf(state));
  return { ...used, costIsKnown: (used.unpricedCalls ?? 0) === 0 };
}
