import { applyRule, type QueueWrite } from '../job-queue-rules.ts';
import { releaseJobs, type LostOwner } from '../job-queue-running.ts';
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
  // The rules return what the port promises.
  const write = (given: QueueWrite) =>
    answerAsProcess(seat, () => {
      const { answer, isNews } = applyRule(tables, given);
      if (isNews) tell();
      return answer as never;
    });
  seat.leaving.add(() => {
    releaseJobs(tables);
    tell();
  });
  return {
    enrol: (...given) => write(['enrol', given]),
    worker: (id) => read(() => tables.worker(id)),
    workers: (query = {}) => read(() => tables.workers(query)),
    changeWorker: (...given) => write(['changeWorker', given]),
    dismiss: (...given) => write(['dismiss', given]),
    file: (...given) => write(['file', given]),
    letGo: (...given) => write(['letGo', given]),
    // A process that slept past its lease renews it first. Otherwise it would lose its claim at once.
    claim: (request) =>
      seat.status === 'lapsed' ? read(() => nothingClaimed) : write(['claim', [request, gone()]]),
    note: (...given) => write(['note', given]),
    settle: (...given) => write(['settle', given]),
    cancel: (...given) => write(['cancel', given]),
    resolve: (...given) => write(['resolve', given]),
    release: () => write(['release', []]),
    mark: (...given) => write(['mark', given]),
    job: (id) => read(() => tables.job(id)),
    jobs: (query = {}) => read(() => tables.jobs(query)),
    onChange: (listener) => queue.changes.add(listener),
  };
}
