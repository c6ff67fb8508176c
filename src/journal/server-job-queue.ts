/** The job queue of a store on servers, over rows that any process may change. */
import type { JobId } from '../kernel/ids.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { Owner } from '../ports/lease.ts';
import { fileJobs } from './job-queue-filing.ts';
import {
  cancelJob,
  claimJob,
  isClaimNews,
  letGo,
  markJob,
  noteJob,
  releaseJobs,
  resolveStalled,
  settleJob,
  type LostOwner,
} from './job-queue-running.ts';
import type { QueueTables } from './job-queue-tables.ts';
import { changeWorker, dismissWorker, enrolWorker } from './job-queue-workers.ts';
import { createListeners } from './listeners.ts';
import { createQueueRows, type Named, type QueueRows, type QueueSource } from './optimistic-queue.ts';
import type { OwnerWatch } from './owner-watch.ts';
import type { ProcessLeases } from './process-leases.ts';
import type { ProcessRow } from './process-row.ts';
import type { ServerWakeUps } from './server-wake-ups.ts';

export interface ServerJobQueue extends JobQueue {
  /** Frees this process's jobs, if it ever claimed one. */
  leave(): Promise<void>;
}

export interface JobQueueParts {
  readonly self: () => Owner;
  readonly watch: OwnerWatch;
  readonly wakeUps: Pick<ServerWakeUps, 'wakeOthers' | 'onQueue'>;
  readonly leases: Pick<ProcessLeases, 'started'>;
  readonly source: QueueSource;
  /** Lookups that need no operation. */
  lookUp(rows: QueueRows): Pick<JobQueue, 'worker' | 'workers' | 'job' | 'jobs'>;
  processes(doing: string, ids: readonly string[]): Promise<readonly ProcessRow[]>;
  /** Makes this process known, so that others can check whether it is alive. False: it lost its lease. */
  register(doing: string): Promise<boolean>;
}

export function createServerJobQueue(parts: JobQueueParts): ServerJobQueue {
  const { self, watch, wakeUps, leases } = parts;
  const rows = createQueueRows(parts.source, self);
  const changes = createListeners<void>();
  let hasClaimed = false;

  function tell(): void {
    changes.tell();
    wakeUps.wakeOthers();
  }

  async function write<Value>(doing: string, named: Named, work: (tables: QueueTables) => Value): Promise<Value> {
    const value = await rows.write(doing, named, work);
    tell();
    return value;
  }

  const ofJob = (id: JobId): Named => ({ jobs: [id] });

  /** Owners of running jobs that are gone or unknown to this store. */
  async function goneOwners(): Promise<readonly LostOwner[]> {
    const doing = 'Looking for owners of jobs';
    const running = await rows.read(doing, {}, (tables) => tables.jobs({ which: 'active' }));
    const owners = new Set(
      running.flatMap(({ owner }) => (owner === undefined || owner === self().id ? [] : [owner])),
    );
    if (owners.size === 0) return [];
    const known = await parts.processes(doing, [...owners]);
    return [...owners].flatMap((id) => {
      const row = known.find((one) => one.id === id);
      if (row === undefined) return [{ id, isStopped: false }];
      return watch.isGone(row) ? [{ id, isStopped: watch.isStopped(row) }] : [];
    });
  }

  return {
    enrol: (row) => write('Enrolling a worker', {}, (tables) => enrolWorker(tables, row)),
    ...parts.lookUp(rows),
    changeWorker: (id, change) => write(`Changing worker ${id}`, {}, (tables) => changeWorker(tables, id, change)),
    dismiss: (id) => write(`Dismissing worker ${id}`, {}, (tables) => dismissWorker(tables, id)),
    file: (jobs, options) =>
      write(
        'Filing jobs',
        {
          jobs: jobs.flatMap(({ id, after }) => [id, ...after]),
          keys: jobs.flatMap(({ key }) => (key === undefined ? [] : [key])),
        },
        (tables) => fileJobs(tables, jobs, options),
      ),
    letGo: (id) => write(`Changing job ${id}`, ofJob(id), (tables) => letGo(tables, id)),
    async claim(request) {
      const gone = await goneOwners();
      // Others use this row to check whether a job's owner is alive. A process without its lease claims nothing.
      const doing = 'Claiming a job';
      if (!(await parts.register(doing))) return { ended: [], runsElsewhere: true };
      const result = await rows.write(doing, {}, (tables) => claimJob(tables, request, gone));
      if (result.job !== undefined) {
        hasClaimed = true;
        leases.started();
      }
      if (isClaimNews(result)) tell();
      return result;
    },
    note: (ticket, note) =>
      write(`Changing job ${ticket.job}`, ofJob(ticket.job), (tables) => noteJob(tables, ticket, note)),
    settle: (ticket, end) =>
      write(`Settling job ${ticket.job}`, ofJob(ticket.job), (tables) => settleJob(tables, ticket, end)),
    cancel: (id, request) => write(`Cancelling job ${id}`, ofJob(id), (tables) => cancelJob(tables, id, request)),
    resolve: (id, ...given) =>
      write(`Resolving job ${id}`, ofJob(id), (tables) => resolveStalled(tables, id, ...given)),
    release: () => write('Releasing jobs', {}, (tables) => releaseJobs(tables)),
    mark: (id, key) => rows.write(`Marking job ${id}`, ofJob(id), (tables) => markJob(tables, id, key)),
    onChange(listener) {
      const stop = [changes.add(listener), wakeUps.onQueue(listener)];
      return () => {
        for (const end of stop) end();
      };
    },
    async leave() {
      if (hasClaimed) await write('Releasing jobs', {}, (tables) => releaseJobs(tables));
    },
  };
}
