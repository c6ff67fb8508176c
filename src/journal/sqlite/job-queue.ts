import type { QueueWrite } from '../job-queue-rules.ts';
import { isClaimNews, type LostOwner } from '../job-queue-running.ts';
import type { ClaimResult, JobQueue } from '../../ports/job-queue.ts';
import { createListeners } from '../listeners.ts';
import { createMemoryRows, memoryTables } from '../memory/job-queue-tables.ts';
import type { Driver } from './driver.ts';
import { sqliteQueueTables } from './job-queue-tables.ts';
import type { StoreParts } from './store-parts.ts';
import { hasTable } from './tables-on-demand.ts';
import type { ProcessRow } from '../process-row.ts';

const topic = 'rondo/jobs';
/** The bus may lose messages, so the database is polled while anyone listens. */
const lookEveryMs = 1000;

export function createSqliteJobQueue(parts: StoreParts): JobQueue {
  const { self, writer, bus, clock } = parts;
  const changes = createListeners<void>();
  const nothingFiled = () => memoryTables(createMemoryRows(), self());
  let hasQueue = false;
  const isThere = (db: Driver) => (hasQueue ||= hasTable(db, 'jobs'));
  const read = <Value>(doing: string, work: (tables: ReturnType<typeof sqliteQueueTables>) => Value) =>
    parts.read(doing, (db) => work(isThere(db) ? sqliteQueueTables(db, self()) : nothingFiled()));
  // The rules return what the port promises; the thread boundary in between drops types.
  const quietly = async (write: QueueWrite) => (await writer.write(['queue', write])) as never;
  const write = async (request: QueueWrite) => {
    const answer = await quietly(request);
    tell();
    return answer;
  };
  function tell(): void {
    changes.tell();
    bus.startSoon();
    bus.publish(topic, '');
  }

  /** Owners of running jobs that are gone or unknown to this store. */
  function goneOwners(db: Driver): readonly LostOwner[] {
    if (!isThere(db)) return [];
    return db.all<{ owner: string }>(selectOwners, self().id).flatMap(({ owner }) => {
      const row = db.get<ProcessRow>('SELECT * FROM processes WHERE id = ?', owner);
      if (row === undefined) return [{ id: owner, isStopped: false }];
      return parts.watch.isGone(row) ? [{ id: owner, isStopped: parts.watch.isStopped(row) }] : [];
    });
  }

  return {
    enrol: (...given) => write(['enrol', given]),
    worker: (id) => read(`Looking for worker ${id}`, (tables) => tables.worker(id)),
    workers: (query = {}) => read('Listing workers', (tables) => tables.workers(query)),
    changeWorker: (...given) => write(['changeWorker', given]),
    dismiss: (...given) => write(['dismiss', given]),
    file: (...given) => write(['file', given]),
    letGo: (...given) => write(['letGo', given]),
    async claim(request) {
      const gone = await parts.read('Looking for owners of jobs', goneOwners);
      const result: ClaimResult = await quietly(['claim', [request, gone]]);
      if (isClaimNews(result)) tell();
      return result;
    },
    note: (...given) => write(['note', given]),
    settle: (...given) => write(['settle', given]),
    cancel: (...given) => write(['cancel', given]),
    resolve: (...given) => write(['resolve', given]),
    release: () => write(['release', []]),
    mark: (...given) => quietly(['mark', given]),
    job: (id) => read(`Looking for job ${id}`, (tables) => tables.job(id)),
    jobs: (query = {}) => read('Listing jobs', (tables) => tables.jobs(query)),
    onChange(listener) {
      void bus.start();
      let seen: number | undefined;
      const look = () =>
        parts.read('Looking for changes of the job queue', (db) => {
          const number = isThere(db) ? db.get<{ number: number }>('SELECT number FROM queue_changes')?.number : 0;
          // The first poll that succeeds reports too: the listener may be waiting for an earlier change.
          if (number !== seen) listener();
          seen = number;
        });
      // A closing store has nothing to report.
      const lookQuietly = () => void look().catch(() => undefined);
      lookQuietly();
      const stop = [
        changes.add(listener),
        bus.subscribe(topic, () => listener()),
        clock.every(lookEveryMs, lookQuietly),
      ];
      return () => {
        for (const end of stop) end();
      };
    },
  };
}

const selectOwners = `
  SELECT DISTINCT owner FROM jobs
  WHERE state IN ('running', 'waiting', 'stalled') AND owner IS NOT NULL AND owner <> ?`;
