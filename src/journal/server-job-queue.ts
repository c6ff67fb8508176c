/** The job queue of a store on servers, over rows that any process may change. */
import type { JobId } from '../kernel/ids.ts';
import type { ClaimResult, JobQueue } from '../ports/job-queue.ts';
import type { Owner } from '../ports/lease.ts';
import { applyRule, type QueueWrite } from './job-queue-rules.ts';
import type { LostOwner } from './job-queue-running.ts';
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

interface JobQueueParts {
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

  /** The rules return what the port promises. */
  async function write(doing: string, named: Named, given: QueueWrite): Promise<never> {
    const { answer, isNews } = await rows.write(doing, named, (tables) => applyRule(tables, given));
    if (isNews) tell();
    return answer as never;
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
    const processes = await parts.processes(doing, [...owners]);
    return [...owners].flatMap((id) => {
      const row = processes.find((one) => one.id === id);
      if (row === undefined) return [{ id, isStopped: false }];
      return watch.isGone(row) ? [{ id, isStopped: watch.isStopped(row) }] : [];
    });
  }

  return {
    enrol: (...given) => write('Enrolling a worker', {}, ['enrol', given]),
    ...parts.lookUp(rows),
    changeWorker: (...given) => write(`Changing worker ${given[0]}`, {}, ['changeWorker', given]),
    dismiss: (...given) => write(`Dismissing worker ${given[0]}`, {}, ['dismiss', given]),
    file(jobs, options) {
      const named = {
        jobs: jobs.flatMap(({ id, after }) => [id, ...after]),
        keys: jobs.flatMap(({ key }) => (key === undefined ? [] : [key])),
      };
      return write('Filing jobs', named, ['file', [jobs, options]]);
    },
    letGo: (id) => write(`Changing job ${id}`, ofJob(id), ['letGo', [id]]),
    async claim(request) {
      const gone = await goneOwners();
      // Others use this row to check whether a job's owner is alive. A process without its lease claims nothing.
      const doing = 'Claiming a job';
      if (!(await parts.register(doing))) return { ended: [], runsElsewhere: true };
      const result: ClaimResult = await write(doing, {}, ['claim', [request, gone]]);
      if (result.job !== undefined) {
        hasClaimed = true;
        leases.started();
      }
      return result;
    },
    note: (...given) => write(`Changing job ${given[0].job}`, ofJob(given[0].job), ['note', given]),
    settle: (...given) => write(`Settling job ${given[0].job}`, ofJob(given[0].job), ['settle', given]),
    cancel: (...given) => write(`Cancelling job ${given[0]}`, ofJob(given[0]), ['cancel', given]),
    resolve: (...given) => write(`Resolving job ${given[0]}`, ofJob(given[0]), ['resolve', given]),
    release: () => write('Releasing jobs', {}, ['release', []]),
    mark: (...given) => write(`Marking job ${given[0]}`, ofJob(given[0]), ['mark', given]),
    onChange(listener) {
      const stop = [changes.add(listener), wakeUps.onQueue(listener)];
      return () => {
        for (const end of stop) end();
      };
    },
    async leave() {
      if (hasClaimed) await write('Releasing jobs', {}, ['release', []]);
    },
  };
}
