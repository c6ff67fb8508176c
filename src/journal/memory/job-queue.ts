import { fileJobs } from '../job-queue-filing.ts';
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
} from '../job-queue-running.ts';
import { changeWorker, dismissWorker, enrolWorker } from '../job-queue-workers.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import { createMemoryRows, memoryTables, type MemoryRows } from './job-queue-tables.ts';
import { answerAsProcess, type Seat, type Shared } from './shared.ts';

const nothingClaimed = { ended: [], runsElsewhere: true } as const;

interface MemoryQueue {
  readonly rows: MemoryRows;
  readonly changes: Listeners<void>;
}

/** One queue for all seats at a store. */
const queues = new WeakMap<Shared, MemoryQueue>();

export function createMemoryJobQueue(shared: Shared, seat: Seat): JobQueue {
  const queue = queues.get(shared) ?? { rows: createMemoryRows(), changes: createListeners<void>() };
  queues.set(shared, queue);
  const tables = memoryTables(queue.rows, seat.owner);
  const gone = (): readonly LostOwner[] => {
    const statuses = new Map([...shared.seats].map(({ owner, status }) => [owner.id, status]));
    const owners = [...queue.rows.underWay.values()].flatMap(({ owner }) => (owner === undefined ? [] : [owner]));
    return [...new Set(owners)]
      .filter((owner) => statuses.get(owner) !== 'alive')
      .map((id) => ({ id, isStopped: statuses.get(id) === 'lapsed' }));
  };
  const read = <Value>(work: () => Value) => answerAsProcess(seat, work);
  const tell = () => queueMicrotask(() => queue.changes.tell());
  const write = <Value>(work: () => Value) =>
    answerAsProcess(seat, () => {
      const value = work();
      tell();
      return value;
    });
  seat.leaving.add(() => {
    releaseJobs(tables);
    tell();
  });
  return {
    enrol: (row) => write(() => enrolWorker(tables, row)),
    worker: (id) => read(() => tables.worker(id)),
    workers: (query = {}) => read(() => tables.workers(query)),
    changeWorker: (id, change) => write(() => changeWorker(tables, id, change)),
    dismiss: (id) => write(() => dismissWorker(tables, id)),
    file: (jobs, options) => write(() => fileJobs(tables, jobs, options)),
    letGo: (id) => write(() => letGo(tables, id)),
    claim: (request) =>
      read(() => {
        // A process that slept past its lease renews it first. Otherwise it would lose its claim at once.
        if (seat.status === 'lapsed') return nothingClaimed;
        const result = claimJob(tables, request, gone());
        if (isClaimNews(result)) tell();
        return result;
      }),
    note: (ticket, note) => write(() => noteJob(tables, ticket, note)),
    settle: (ticket, end) => write(() => settleJob(tables, ticket, end)),
    cancel: (id, request) => write(() => cancelJob(tables, id, request)),
    resolve: (id, resolution) => write(() => resolveStalled(tables, id, resolution)),
    release: () => write(() => releaseJobs(tables)),
    mark: (id, key) => read(() => markJob(tables, id, key)),
    job: (id) => read(() => tables.job(id)),
    jobs: (query = {}) => read(() => tables.jobs(query)),
    onChange: (listener) => queue.changes.add(listener),
  };
}
