/** A NATS store as rows that mean the same in every engine. */
import type { SessionId } from '../../kernel/ids.ts';
import type { Creation, KeptKey, Snapshot } from '../../ports/journal.ts';
import type { StoredDocument } from '../../ports/documents.ts';
import type { HostedRow } from '../../ports/hosted-rows.ts';
import type { StoredBurial, StoredLetter } from '../nats/letters.ts';
import type { QueueLog } from '../nats/nats-job-queue.ts';
import type { LogReader } from '../nats/read-log.ts';
import type { SessionListing } from '../nats/session-directory.ts';
import { headOf } from '../nats/session-log.ts';
import { readStoreFacts, sessionIn } from '../nats/store-layout.ts';
import type { NatsParts } from '../nats/store-parts.ts';
import { projectionTuple } from '../projection-tuple.ts';
import type { CopiedRow, CopiedTable } from './copied-tables.ts';

export interface CopyParts extends Pick<NatsParts, 'client' | 'layout' | 'directory' | 'writer'> {
  readonly reader: LogReader;
  readonly queue: QueueLog;
}

interface NatsRowReader {
  /** In any order. */
  all(table: Exclude<CopiedTable, 'records'>): Promise<readonly CopiedRow[]>;
  /** By session and sequence. */
  records(after: CopiedRow | undefined, limit: number): Promise<readonly CopiedRow[]>;
  lastRecord(): Promise<CopiedRow | undefined>;
}

export function createNatsRowReader(parts: CopyParts): NatsRowReader {
  const { client, layout, directory, writer, reader, queue } = parts;
  const doing = 'Copying';

  const listed = async () =>
    [...(await directory.all()).values()]
      .filter(({ isPending }) => isPending !== true)
      .toSorted((a, b) => Buffer.compare(Buffer.from(a.session), Buffer.from(b.session)));

  /** The messages of a subject, with a name from it. */
  async function kept<Row>(stream: 'kept' | 'live', ...tokens: readonly string[]): Promise<readonly Kept<Row>[]> {
    const list: Kept<Row>[] = [];
    for await (const one of client.walk(doing, layout[stream], layout.subject(stream, ...tokens), 1)) {
      list.push({ seq: one.seq, name: sessionIn(one.subject, 3), row: JSON.parse(one.body.toString()) as Row });
    }
    return list;
  }

  async function recordsOf(session: SessionId, after: number, limit: number): Promise<readonly CopiedRow[]> {
    const newest = await writer.newest(session);
    const rows: CopiedRow[] = [];
    if (newest === undefined || headOf(newest) === undefined) return rows;
    for await (const { first, last, checksum, body } of reader.records(session, newest, after)) {
      if (first > after) rows.push({ session, first, last, checksum, body });
      if (rows.length === limit) break;
    }
    return rows;
  }

  const readers: Record<Exclude<CopiedTable, 'records'>, () => Promise<readonly CopiedRow[]>> = {
    sessions: async () => Promise.all((await listed()).map((one) => sessionRow(one))),
    keys: async () =>
      (await kept<KeptKey & { key: string }>('kept', 'key', '*', '*')).map(
        ({ name, row: { key, digest, seq } }) => ({
          session: name,
          key,
          digest,
          seq,
        }),
      ),
    directory: async () => (await listed()).flatMap(directoryRow),
    questions: async () =>
      (await listed()).flatMap(({ session, questions }) =>
        questions.map(({ id, openedAt, type, about }) => ({ session, id, opened_at: openedAt, type, about })),
      ),
    snapshots: async () =>
      (await kept<Snapshot>('kept', 'snapshot', '*')).map(({ name, row: { seq, version, body } }) => ({
        session: name,
        seq,
        version,
        body,
      })),
    blob_references: async () =>
      (await client.subjects(doing, layout.kept, layout.subject('kept', 'ref', '*', '*'))).flatMap((subject) => {
        const [hash, by] = [subject.split('.')[3] ?? '', sessionIn(subject, 4)];
        return by.startsWith('~') ? [] : [{ session: by, hash }];
      }),
    inbox: () => letterRows(),
    creations: async () =>
      (await kept<Creation & { key: string }>('kept', 'creation', '*')).map(
        ({ row: { key, digest, session } }) => ({
          key,
          digest,
          session,
        }),
      ),
    hosted: async () =>
      (await kept<HostedRow>('live', 'hosted', '*')).map(({ row: { session, body } }) => ({ session, body })),
    fork_references: async () =>
      (await listed()).flatMap(({ session, refersTo = [] }) => refersTo.map((origin) => ({ origin, session }))),
    set_aside: async () =>
      (await kept<AsideRow>('kept', 'aside', '*', '*')).map(({ seq, name, row }) => ({
        number: row.number ?? seq,
        session: name,
        first: row.first,
        last: row.last,
        checksum: row.checksum,
        body: row.body,
        reason: row.reason,
        at: row.at,
      })),
    documents: async () =>
      (await kept<StoredDocument>('kept', 'document', '*')).map(({ name, row: { version, body } }) => ({
        name,
        version,
        body,
      })),
    async workers() {
      const { workers } = await queue.whole();
      const places = await queue.workerPlaces();
      let highest = Math.max(0, ...Object.values(places));
      return workers.map((row) => ({
        place: places[row.id] ?? (highest += 1),
        id: row.id,
        body: JSON.stringify(row),
      }));
    },
    async jobs() {
      const { jobs } = await queue.whole();
      const ids = new Set(jobs.map(({ id }) => id));
      const all = [...jobs, ...(await queue.archived()).filter(({ id }) => !ids.has(id))];
      return all.map((row) => ({ place: row.place, id: row.id, body: JSON.stringify(row) }));
    },
  };

  async function sessionRow({ session, damage }: SessionListing): Promise<CopiedRow> {
    const head = headOf(await writer.newest(session));
    if (head === undefined) throw new Error(`Session ${session} is listed but has no log.`);
    return {
      id: session,
      least_seq: head.least ?? head.seq,
      least_reader: head.leastReader,
      epoch: head.epoch,
      due: head.due,
      damage_seq: damage?.seq ?? null,
      damage_reason: damage?.reason ?? null,
      unclean: head.unclean || head.owner !== null ? 1 : 0,
      fences: head.fences,
      left_open: (head.owner === null ? head.leftOpen : head.inFlight) ? 1 : 0,
    };
  }

  /** Unsettled and unreadable letters. Senders of the others got their answers. */
  async function letterRows(): Promise<readonly CopiedRow[]> {
    const waiting = await kept<StoredLetter>('live', 'letter', '*', '*');
    const buried = await kept<StoredBurial>('kept', 'buried', '*');
    const settled = await kept<CopiedRow>('kept', 'settled', '*');
    const base = (await readStoreFacts(client, layout.name))?.facts.letters ?? 0;
    return [
      ...waiting.map(({ seq, row: { id = base + seq, session, key, body } }) => ({
        id,
        session,
        key,
        body,
        answer: null,
        settled_at: null,
        buried: null,
      })),
      ...buried.map(({ row: { id, session, key, body, answer, at, reason } }) => ({
        id,
        session,
        key,
        body,
        answer,
        settled_at: at,
        buried: reason,
      })),
      ...settled.map(({ row }) => row),
    ];
  }

  return {
    all: (table) => readers[table](),
    async records(after, limit) {
      const rows: CopiedRow[] = [];
      const start = after === undefined ? '' : String(after['session']);
      for (const { session, head } of await listed()) {
        if (head.seq === 0 || Buffer.compare(Buffer.from(session), Buffer.from(start)) < 0) continue;
        const from = session === start ? Number(after?.['first']) : 0;
        rows.push(...(await recordsOf(session, from, limit - rows.length)));
        if (rows.length >= limit) break;
      }
      return rows;
    },
    async lastRecord() {
      for (const { session, head } of (await listed()).toReversed()) {
        if (head.seq > 0) return (await recordsOf(session, 0, Infinity)).at(-1);
      }
      return undefined;
    },
  };
}

interface Kept<Row> {
  readonly seq: number;
  readonly name: SessionId;
  readonly row: Row;
}

interface AsideRow {
  readonly number?: number;
  readonly first: number;
  readonly last: number;
  readonly checksum: number;
  readonly body: string;
  readonly reason: string;
  readonly at: number;
}

function directoryRow({ session, entry, head }: SessionListing): readonly CopiedRow[] {
  if (entry === undefined) return [];
  const [shown] = projectionTuple({ entry, inFlight: head.inFlight });
  if (shown === null) return [];
  const [updatedAt, body, state, agent, parent, title, origin, inFlight] = shown;
  return [
    {
      session,
      id: session,
      updated_at: updatedAt,
      state,
      agent,
      parent,
      origin,
      title,
      in_flight: inFlight,
      entry: body,
    },
  ];
}
