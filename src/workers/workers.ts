/** The programmatic interface to workers. */
import type { WorkerQuery, WorkerRow } from '../ports/job-queue.ts';
import { Fault } from '../kernel/fault.ts';
import type { JobId, WorkerId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { Canceller } from './cancel-jobs.ts';
import type { JobHost, JobHosts } from './job-host.ts';
import type { Job } from './job.ts';
import { launchJobs } from './launch.ts';
import type { Scheduler } from './scheduler.ts';
import { enrolNew } from './spawn.ts';
import type { WorkerParts } from './worker-parts.ts';
import { workerStateOf } from './worker-state.ts';
import type { WorkerRunOptions, Worker, WorkerOptions, WorkerStatus } from './worker.ts';
import type { WorkforceEvent } from './workforce-event.ts';
import type { ParentView, WorkerView } from '../ports/workforce.ts';
import { parentViews, workerViews, type WorkforceSource } from './workforce-view.ts';

/** Named seats, each an agent with a separate history. */
export interface Workers {
  /** Rejects with a `Fault` if the name is taken or the agent is unknown. */
  create(name: string, options?: WorkerOptions): Promise<Worker>;
  /** Finds a worker by id, or by name among the workers of `parent` (default: those without a parent). */
  get(idOrName: string, query?: WorkerQuery): Promise<Worker | undefined>;
  list(query?: WorkerQuery): Promise<readonly WorkerStatus[]>;
  /** All workers, formatted for lists. */
  overview(): Promise<readonly WorkerView[]>;
  /** The sessions that have workers and aren't workers themselves. */
  parents(): Promise<readonly ParentView[]>;
  /** Launches several jobs, all or none. `after` may name others in the list by index. Rejects like `Worker.run`. */
  runAll(works: readonly WorkerTask[]): Promise<readonly Job[]>;
  /** Cancels its jobs first. False if it doesn't exist. */
  delete(idOrName: string): Promise<boolean>;
  /** Reports events of local workers and jobs, in order. */
  onEvent(listener: (event: WorkforceEvent) => void): () => void;
}

export interface WorkerTask extends Omit<WorkerRunOptions, 'after' | 'whenBusy'> {
  readonly worker: Worker;
  readonly prompt: string;
  readonly host?: JobHost;
  readonly after?: readonly (Job | JobId | number)[];
}

type Work = Omit<WorkerTask, 'worker' | 'after'> & {
  readonly worker: WorkerRow;
  readonly after: readonly (Job | JobId | number)[];
};

interface WorkersParts {
  readonly scheduler: Scheduler;
  readonly canceller: Canceller;
  readonly hosts: JobHosts;
  readonly tell: (event: WorkforceEvent) => void;
  readonly handle: (row: { readonly id: JobId; readonly worker: WorkerId }) => Promise<Job>;
  readonly onEvent: Workers['onEvent'];
  readonly waitForEnd: (job: JobId) => Promise<unknown>;
}

export function createWorkers(parts: WorkerParts, more: WorkersParts): Workers {
  const { queue, ids } = parts;
  const { scheduler, canceller, hosts, tell } = more;
  const source: WorkforceSource = { queue, stateOf: (session) => parts.sessions.state(session) };

  async function find(idOrName: string, query: WorkerQuery = { parent: null }): Promise<WorkerRow | undefined> {
    const byId = await queue.worker(idOrName as WorkerId);
    return byId ?? (await queue.workers(query)).find(({ name }) => name === idOrName);
  }

  async function remove(row: WorkerRow): Promise<boolean> {
    for (;;) {
      const active = await queue.jobs({ worker: row.id, which: 'active' });
      await canceller.jobs(active, `worker ${row.name} was deleted`);
      await Promise.all(active.map(({ id }) => more.waitForEnd(id)));
      const answer = await queue.dismiss(row.id);
      if (answer.type === 'not-found') return false;
      if (answer.type === 'busy') continue;
      tell({ type: 'worker-deleted', worker: row.id });
      return true;
    }
  }

  async function statusOf(row: WorkerRow): Promise<WorkerStatus> {
    const job = [...scheduler.running.values()].find((running) => running.row.worker === row.id);
    if (job !== undefined) {
      const { tools: _tools, openQuestions: _questions, ...progress } = job.progress;
      const elapsedMs = parts.clock.now() - progress.startedAt;
      return { ...row, state: progress.activity, progress: { ...progress, job: job.row.id, elapsedMs } };
    }
    if (row.session === undefined) return { ...row, state: 'inactive' };
    return { ...row, state: workerStateOf(await parts.sessions.state(row.session), { isStreaming: false }) };
  }

  /** Launches all jobs or none. */
  async function launch(works: readonly Work[], whenBusy: 'queue' | 'refuse'): Promise<readonly Job[]> {
    const jobIds = works.map(() => ids.job());
    const idOf = (job: Job | JobId | number) => {
      if (typeof job === 'number') return jobIds[job] as JobId;
      return typeof job === 'string' ? job : job.id;
    };
    const requests = await Promise.all(
      works.map(async ({ worker: row, host, after, ...rest }, index) => {
        const id = jobIds[index] as JobId;
        if (host !== undefined) hosts.set(id, host);
        return { id, worker: (await queue.worker(row.id)) ?? row, after: after.map(idOf), ...rest };
      }),
    );
    const answers = await launchJobs(parts, requests, { whenBusy });
    const rows = answers.flatMap((answer) => (answer.type === 'launched' ? [answer.job] : []));
    for (const id of jobIds) if (!rows.some((row) => row.id === id)) hosts.delete(id);
    const refused = answers.findIndex((answer) => answer.type === 'refused');
    const why = answers[refused];
    for (const row of rows) tell({ type: 'job-changed', job: row.id, worker: row.worker, state: row.state });
    scheduler.wake();
    if (why?.type === 'refused') {
      throw new Fault('busy', `Can't launch a job for worker ${works[refused]?.worker.name}: ${why.message}`);
    }
    return Promise.all(rows.map((row) => more.handle(row)));
  }

  function workerOf(row: WorkerRow): Worker {
    return {
      id: row.id,
      name: row.name,
      kind: row.kind,
      async run(prompt, host, options = {}) {
        const { whenBusy = 'queue', ...rest } = options;
        const work = { worker: row, prompt, ...optional({ host }), ...rest };
        const [job] = await launch([{ ...work, after: rest.after ?? [] }], whenBusy);
        return job as Job;
      },
      async status() {
        const current = await queue.worker(row.id);
        return current === undefined ? undefined : statusOf(current);
      },
      async rename(name) {
        const answer = await queue.changeWorker(row.id, { name });
        if (answer.type === 'enrolled') tell({ type: 'worker-renamed', worker: row.id, name });
        return answer.type === 'enrolled';
      },
      async delete() {
        await remove(row);
      },
    };
  }

  return {
    async create(name, options = {}) {
      const answer = await enrolNew(parts, name, options);
      if (answer.type === 'refused') {
        throw new Fault(
          answer.code === 'name-taken' ? 'busy' : 'not-found',
          `Can't create a worker: ${answer.message}`,
        );
      }
      tell({ type: 'worker-created', worker: answer.worker.id, name });
      return workerOf(answer.worker);
    },
    async get(idOrName, query) {
      const row = await find(idOrName, query);
      return row === undefined ? undefined : workerOf(row);
    },
    list: async (query) => Promise.all((await queue.workers(query)).map(statusOf)),
    async overview() {
      const working = new Map(
        [...scheduler.running.values()].map((job) => [job.row.worker, job.progress.activity]),
      );
      const views = await workerViews(source, parts.clock.now());
      return views.map((view) => ({ ...view, state: working.get(view.id) ?? view.state }));
    },
    parents: () => parentViews(source, parts.clock.now()),
    async runAll(works) {
      const rows = await Promise.all(works.map(({ worker }) => queue.worker(worker.id)));
      const all = works.map((work, index): Work => {
        const row = rows[index];
        if (row === undefined)
          throw new Fault(
            'not-found',
            `Can't launch jobs: worker ${work.worker.name} was just deleted; create it again or name another.`,
          );
        return { ...work, worker: row, after: work.after ?? [] };
      });
      return launch(all, 'queue');
    },
    async delete(idOrName) {
      const row = await find(idOrName);
      return row === undefined ? false : remove(row);
    },
    onEvent: more.onEvent,
  };
}
