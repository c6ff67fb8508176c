/**
 * The job queue as an actor over a log of its own (O12): a message per operation with the rows that it changed, written
 * after the one that was seen. A snapshot replaces the oldest messages; jobs that aren't listed any more are then kept
 * by id.
 */
import { hash } from 'node:crypto';

import type { JobId, WorkerId } from '../../kernel/ids.ts';
import type { JobRow, WorkerRow } from '../../ports/job-queue.ts';
import type { QueueChanged, QueueRead, QueueSource } from '../optimistic-queue.ts';
import type { ProcessLeases } from '../process-leases.ts';
import { createServerJobQueue, type ServerJobQueue } from '../server-job-queue.ts';
import { purgePieces } from './large-bodies.ts';
import type { NatsMessage } from './nats-message.ts';
import type { NatsParts } from './store-parts.ts';

interface QueueMessage extends QueueChanged {
  /** The previous message. */
  readonly after: number;
  /** Counts operations. */
  readonly count: number;
}

interface QueueSnapshot {
  /** The newest message that it covers. */
  readonly at: number;
  readonly count: number;
  readonly places: number;
  readonly workers: readonly WorkerRow[];
  readonly jobs: readonly JobRow[];
  /** Of workers that came from another store. */
  readonly workerPlaces?: Readonly<Record<string, number>>;
}

type QueueParts = Pick<NatsParts, 'client' | 'layout'>;

const cutEvery = 500;
const queueLog = '~jobs';

export function createNatsJobQueue(parts: NatsParts, leases: Pick<ProcessLeases, 'started'>): ServerJobQueue {
  const { processes } = parts;
  const source = createQueueLog(parts);
  return createServerJobQueue({
    ...parts,
    leases,
    source,
    lookUp: (rows) => ({
      worker: (id) => rows.read(`Looking for worker ${id}`, {}, (tables) => tables.worker(id)),
      workers: (query = {}) => rows.read('Listing workers', {}, (tables) => tables.workers(query)),
      job: (id) => rows.read(`Looking for job ${id}`, { jobs: [id] }, (tables) => tables.job(id)),
      async jobs(query = {}) {
        const listed = await rows.read('Listing jobs', {}, (tables) => tables.jobs(query));
        const { which = 'all', worker, parent } = query;
        if (which === 'active' || which === 'listed') return listed;
        const ids = new Set(listed.map(({ id }) => id));
        const archived = (await source.archived()).filter(
          (row) =>
            !ids.has(row.id) &&
            (worker === undefined || row.worker === worker) &&
            (parent === undefined || row.parent === parent) &&
            (which !== 'dead' || row.dead === true),
        );
        return [...listed, ...archived].toSorted((a, b) => a.place - b.place);
      },
    }),
    processes: async (_doing, ids) =>
      (await Promise.all(ids.map((id) => processes.find(id)))).filter((row) => row !== undefined),
    register: () => processes.register(),
  });
}

export interface QueueLog extends QueueSource {
  archived(): Promise<readonly JobRow[]>;
  /** The number of the newest operation. */
  newest(): Promise<number>;
  /** All rows but the archived ones. */
  whole(): Promise<QueueRead>;
  /** Adds rows of another store to the snapshot of a queue without a log. */
  adopt(workers: readonly (readonly [place: number, row: WorkerRow])[], jobs: readonly JobRow[]): Promise<void>;
  /** The places of workers that came from another store. */
  workerPlaces(): Promise<Readonly<Record<string, number>>>;
}

export function createQueueLog({ client, layout }: QueueParts): QueueLog {
  const { stream, subject } = layout.logOf(queueLog);
  const snapshotSubject = layout.subject('kept', 'queue');
  const jobSubject = (id: string) => layout.subject('kept', 'job', id);
  const keySubject = (key: string) => layout.subject('kept', 'jobkey', hash('sha256', key, 'base64url'));
  /** The count of the newest operation that was seen. */
  let count = 0;
  let cutting: Promise<void> | undefined;

  async function snapshot(doing: string) {
    const message = await client.last(doing, layout.kept, snapshotSubject);
    return (
      message && {
        rev: message.seq,
        isInPieces: message.isInPieces,
        body: JSON.parse(message.body.toString()) as QueueSnapshot,
      }
    );
  }

  const newestMessage = (doing: string) => client.last(doing, stream, subject);

  /** Rows as they are after the messages. */
  function gathered(start: Pick<QueueRead, 'workers' | 'jobs' | 'places'>, messages: readonly QueueMessage[]) {
    const workers = new Map(start.workers.map((row) => [row.id, row]));
    const jobs = new Map(start.jobs.map((row) => [row.id, row]));
    const dropped = new Set<WorkerId>();
    let { places } = start;
    for (const message of messages) {
      for (const row of message.workers) {
        workers.set(row.id, row);
        dropped.delete(row.id);
      }
      for (const id of message.dropped) {
        workers.delete(id);
        dropped.add(id);
      }
      for (const row of message.jobs) {
        jobs.set(row.id, row);
        places = Math.max(places, row.place);
      }
    }
    return { workers: [...workers.values()], dropped: [...dropped], jobs: [...jobs.values()], places };
  }

  async function messagesFrom(doing: string, from: number): Promise<readonly (QueueMessage & { seq: number })[]> {
    const messages: NatsMessage[] = await Array.fromAsync(client.walk(doing, stream, subject, from));
    return messages.map(({ seq, body }) => ({ seq, ...(JSON.parse(body.toString()) as QueueMessage) }));
  }

  async function whole(doing: string): Promise<QueueRead> {
    const start = (await snapshot(doing))?.body ?? { at: 0, count: 0, places: 0, workers: [], jobs: [] };
    const messages = await messagesFrom(doing, start.at + 1);
    // Another process replaced the snapshot in between, and cut what it covers.
    if (messages[0] !== undefined && messages[0].after !== start.at) return whole(doing);
    count = messages.at(-1)?.count ?? start.count;
    return { number: messages.at(-1)?.seq ?? start.at, isWhole: true, ...gathered(start, messages) };
  }

  async function rowsSince(doing: string, seen: number): Promise<QueueRead> {
    if (seen < 0) return whole(doing);
    const newest = await newestMessage(doing);
    const number = newest?.seq ?? 0;
    if (number === seen) return { number, places: 0, workers: [], dropped: [], jobs: [] };
    const messages = await messagesFrom(doing, seen + 1);
    // The oldest messages may have been cut.
    if (messages[0]?.after !== seen) return whole(doing);
    count = messages.at(-1)?.count ?? count;
    return { number: messages.at(-1)?.seq ?? seen, ...gathered({ places: 0, workers: [], jobs: [] }, messages) };
  }

  async function jobNamed(doing: string, id: JobId): Promise<JobRow | undefined> {
    const message = await client.last(doing, layout.kept, jobSubject(id));
    return message && (JSON.parse(message.body.toString()) as JobRow);
  }

  async function namedJobs(
    doing: string,
    jobs: readonly JobId[],
    keys: readonly string[],
  ): Promise<readonly JobRow[]> {
    const byKey = await Promise.all(keys.map((key) => client.last(doing, layout.kept, keySubject(key))));
    const ids = new Set([
      ...jobs,
      ...byKey.flatMap((message) => (message ? [message.body.toString() as JobId] : [])),
    ]);
    const rows = await Promise.all([...ids].map((id) => jobNamed(doing, id)));
    return rows.filter((row) => row !== undefined);
  }

  /** Replaces the log so far by a snapshot. The newest message stays, because the next one follows it. */
  async function cut(): Promise<void> {
    const doing = 'Cutting the job queue’s log';
    const before = await snapshot(doing);
    const { number, places, workers, jobs } = await whole(doing);
    for (const row of jobs) {
      if (row.archived !== true) continue;
      await client.publish(doing, jobSubject(row.id), JSON.stringify(row));
      if (row.key !== undefined) await client.publish(doing, keySubject(row.key), row.id);
    }
    const listed = jobs.filter((row) => row.archived !== true);
    const { workerPlaces = {} } = before?.body ?? {};
    const body: QueueSnapshot = { at: number, count, places, workers, jobs: listed, workerPlaces };
    // Its pieces stay until the next but one.
    const group = `~jobs-${Math.floor(count / cutEvery) % 2}`;
    await purgePieces(client, layout, doing, group);
    const options = { expected: before?.rev ?? 0, stream: layout.kept, group };
    if ((await client.publish(doing, snapshotSubject, JSON.stringify(body), options)) === undefined) return;
    await client.purge(doing, stream, subject, { before: number });
  }

  return {
    async read(doing, seen, { jobs, keys }) {
      const [since, named] = await Promise.all([rowsSince(doing, seen), namedJobs(doing, jobs, keys)]);
      const ids = new Set(since.jobs.map(({ id }) => id));
      // A job that is kept by id has ended and doesn't change.
      return { ...since, jobs: [...named.filter(({ id }) => !ids.has(id)), ...since.jobs] };
    },
    async write(doing, seen, changed) {
      const message: QueueMessage = { after: seen, count: count + 1, ...changed };
      const written = await client.publish(doing, subject, JSON.stringify(message), {
        expected: seen,
        stream,
        group: queueLog,
      });
      if (written === undefined) return undefined;
      count += 1;
      if (count % cutEvery === 0) {
        cutting ??= cut()
          .catch(() => undefined)
          .finally(() => {
            cutting = undefined;
          });
      }
      return written;
    },
    async archived() {
      const messages = await Array.fromAsync(client.walk('Listing jobs', layout.kept, jobSubject('*'), 1));
      return messages.map(({ body }) => JSON.parse(body.toString()) as JobRow);
    },
    whole: () => whole('Copying'),
    async adopt(placed, jobs) {
      const before = await snapshot('Copying');
      const start: QueueSnapshot = before?.body ?? { at: 0, count: 0, places: 0, workers: [], jobs: [] };
      const workers = placed.map(([, row]) => row);
      const { dropped: _dropped, ...rows } = gathered(start, [{ after: 0, count: 0, workers, dropped: [], jobs }]);
      const places = Object.fromEntries(placed.map(([place, row]) => [row.id, place]));
      const body: QueueSnapshot = { ...start, ...rows, workerPlaces: { ...start.workerPlaces, ...places } };
      const group = `~jobs-${before?.rev ?? 0}`;
      await client.publish('Copying', snapshotSubject, JSON.stringify(body), { group });
    },
    workerPlaces: async () => (await snapshot('Copying'))?.body.workerPlaces ?? {},
    newest: async () => (await newestMessage('Looking for news'))?.seq ?? 0,
  };
}
