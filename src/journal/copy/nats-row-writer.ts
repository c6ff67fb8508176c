/** Writes rows of another engine into a NATS store that nobody uses. */
import { hash } from 'node:crypto';

import type { QuestionId, SessionId } from '../../kernel/ids.ts';
import type { JobRow, WorkerRow } from '../../ports/job-queue.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import { copiedLetter, type StoredBurial, type StoredLetter } from '../nats/letters.ts';
import type { NatsPlace } from '../nats/nats-address.ts';
import {
  headOf,
  noHead,
  recordOverhead,
  type LogBody,
  type LogHead,
  type LogRecord,
} from '../nats/session-log.ts';
import { writeState } from '../nats/store-layout.ts';
import type { CopiedRow, CopiedTable } from './copied-tables.ts';
import type { CopyParts } from './nats-row-reader.ts';

export function createNatsRowWriter(
  { client, layout, directory, writer, queue }: CopyParts,
  place: NatsPlace,
): (table: CopiedTable, rows: readonly CopiedRow[]) => Promise<void> {
  const doing = 'Copying';
  const keep = (tokens: readonly string[], body: object) =>
    client.publish(doing, layout.subject('kept', ...tokens), JSON.stringify(body));

  /** Adds a message to a log, unless it says nothing new. */
  async function add(
    session: SessionId,
    change: (head: LogHead | undefined) => Copied | undefined,
  ): Promise<void> {
    const newest = await writer.newest(session);
    const body = change(headOf(newest));
    if (body === undefined) return;
    const message = await writer.write(session, { kind: 'copied', after: newest?.seq ?? 0, ...body });
    if (message === undefined) throw new Error(`Session ${session} changed while it was copied.`);
    await writer.catchUp(session, message);
  }

  async function putSession(row: CopiedRow): Promise<void> {
    const session = text(row, 'id') as SessionId;
    await add(session, (head) => (head === undefined ? { head: headIn(row) } : undefined));
    const [seq, reason] = [row['damage_seq'], row['damage_reason']];
    if (typeof seq === 'number') await directory.noteDamage(session, { seq, reason: String(reason) });
  }

  async function putRecords(session: SessionId, rows: readonly CopiedRow[]): Promise<void> {
    await add(session, (head = noHead) => {
      const records = rows.flatMap((row): readonly LogRecord[] =>
        number(row, 'first') <= head.seq
          ? []
          : [[number(row, 'first'), number(row, 'last'), number(row, 'checksum'), text(row, 'body')]],
      );
      const bytes = records.reduce(
        (sum, [, , , body]) => sum + Buffer.byteLength(body) + recordOverhead,
        head.bytes,
      );
      const seq = records.at(-1)?.[1] ?? head.seq;
      return records.length === 0 ? undefined : { head: { ...head, seq, bytes }, records };
    });
  }

  async function putLetter(row: CopiedRow): Promise<void> {
    const [id, session] = [number(row, 'id'), text(row, 'session') as SessionId];
    const [key, body] = [text(row, 'key'), text(row, 'body')];
    const { answer = null, buried = null } = row;
    if (answer === null) {
      const letter: StoredLetter = { id, session, key, body };
      const subject = layout.subject('live', 'letter', session, copiedLetter(id));
      await client.publish(doing, subject, JSON.stringify(letter));
      return;
    }
    const at = Number(row['settled_at']);
    const settled = JSON.stringify({ answer, at });
    await client.publish(doing, layout.subject('live', 'answer', String(id)), settled);
    if (buried === null) {
      await keep(['settled', String(id)], row);
      return;
    }
    const burial: StoredBurial = { id, session, key, body, reason: String(buried), answer: String(answer), at };
    await keep(['buried', String(id)], burial);
  }

  const writers: Record<CopiedTable, (rows: readonly CopiedRow[]) => Promise<unknown>> = {
    sessions: each(putSession),
    records: async (rows) => {
      const sessions = Map.groupBy(rows, (row) => text(row, 'session') as SessionId);
      for (const [session, records] of sessions) await putRecords(session, records);
    },
    keys: each((row) => {
      const key = text(row, 'key');
      const body = { key, digest: text(row, 'digest'), seq: number(row, 'seq') };
      return keep(['key', text(row, 'session'), hash('sha256', key, 'base64url')], body);
    }),
    directory: each((row) =>
      add(text(row, 'session') as SessionId, (head = noHead) => ({
        head: { ...head, inFlight: row['in_flight'] === 1 },
        shown: { entry: JSON.parse(text(row, 'entry')) as DirectoryEntry },
      })),
    ),
    questions: each((row) => {
      const session = text(row, 'session') as SessionId;
      const question = {
        id: text(row, 'id') as QuestionId,
        session,
        openedAt: number(row, 'opened_at'),
        type: text(row, 'type'),
        about: text(row, 'about'),
      };
      return add(session, (head = noHead) => ({ head, shown: { questionsOpened: [question] } }));
    }),
    snapshots: each((row) => {
      const session = text(row, 'session');
      const body = {
        session,
        seq: number(row, 'seq'),
        version: number(row, 'version'),
        body: text(row, 'body'),
        at: 0,
      };
      const subject = layout.subject('kept', 'snapshot', session);
      return client.publish(doing, subject, JSON.stringify(body), { group: `${session}~snapshot` });
    }),
    blob_references: each((row) =>
      client.publish(doing, layout.subject('kept', 'ref', text(row, 'hash'), text(row, 'session')), ''),
    ),
    inbox: async (rows) => {
      await each(putLetter)(rows);
      await writeState(client, place, { letters: Math.max(...rows.map((row) => number(row, 'id'))) });
    },
    creations: each((row) => {
      const key = text(row, 'key');
      const body = { key, digest: text(row, 'digest'), session: text(row, 'session'), owner: '' };
      return keep(['creation', hash('sha256', key, 'base64url')], body);
    }),
    hosted: each((row) => {
      const body = { session: text(row, 'session'), body: text(row, 'body') };
      return client.publish(doing, layout.subject('live', 'hosted', body.session), JSON.stringify(body));
    }),
    // A fork's first record names what it refers to.
    fork_references: () => Promise.resolve(),
    set_aside: each((row) => keep(['aside', text(row, 'session'), `copied-${number(row, 'number')}`], row)),
    documents: each((row) =>
      keep(['document', text(row, 'name')], { version: number(row, 'version'), body: text(row, 'body') }),
    ),
    workers: (rows) =>
      queue.adopt(
        rows.map((row) => [number(row, 'place'), JSON.parse(text(row, 'body')) as WorkerRow]),
        [],
      ),
    jobs: (rows) =>
      queue.adopt(
        [],
        rows.map((row) => JSON.parse(text(row, 'body')) as JobRow),
      ),
  };
  return async (table, rows) => {
    await writers[table](rows);
  };
}

type Copied = Pick<LogBody, 'head' | 'records' | 'shown'>;

function each(work: (row: CopiedRow) => Promise<unknown>): (rows: readonly CopiedRow[]) => Promise<void> {
  return async (rows) => {
    for (const row of rows) await work(row);
  };
}

function headIn(row: CopiedRow): LogHead {
  const due = row['due'] ?? null;
  return {
    ...noHead,
    least: number(row, 'least_seq'),
    leastReader: number(row, 'least_reader'),
    epoch: number(row, 'epoch'),
    due: due === null ? null : Number(due),
    unclean: row['unclean'] === 1,
    fences: number(row, 'fences'),
    leftOpen: row['left_open'] === 1,
  };
}

function text(row: CopiedRow, column: string): string {
  return String(row[column]);
}

function number(row: CopiedRow, column: string): number {
  return Number(row[column]);
}
