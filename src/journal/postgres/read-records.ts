import type { SessionId } from '../../kernel/ids.ts';
import type { StoredRecord } from '../../ports/stored-record.ts';
import { collectBefore, createCollector, type Collecting, type CollectedPage } from '../collect.ts';
import type { ReadingBack, StoredSessionRow } from '../stored-session-row.ts';
import type { StoreParts } from './store-parts.ts';

type Reading = Pick<StoreParts, 'db' | 's'>;

const recordsAtOnce = 500;

export async function findSession({ db, s }: Reading, session: SessionId): Promise<StoredSessionRow | undefined> {
  const [row] = await db.soon<StoredSessionRow>(
    `Reading session ${session}`,
    `SELECT number, epoch, least_reader, damage_seq, damage_reason, greatest(least_seq, coalesce(
       (SELECT last FROM ${s}.records WHERE session = number ORDER BY position DESC LIMIT 1), 0)) AS seq
     FROM ${s}.sessions WHERE id = $1`,
    [session],
  );
  return row;
}

export async function readAfter(
  { db, s }: Reading,
  row: StoredSessionRow,
  options: Omit<Collecting, 'head'>,
): Promise<CollectedPage> {
  const { session, after, limit } = options;
  const collector = createCollector({ ...options, head: row.seq });
  const atOnce = Math.max(1, Math.min(limit, recordsAtOnce));
  // The first page starts with the record that contains the next event.
  let from = `coalesce((SELECT max(first) FROM ${s}.records WHERE session = $1 AND first <= $2), 0)`;
  let place = after + 1;
  for (;;) {
    const records = await db.soon<RecordRow>(
      `Reading session ${session}`,
      `SELECT ${columns(s)} FROM ${s}.records WHERE session = $1 AND first >= ${from} ORDER BY first LIMIT $3`,
      [row.number, place, atOnce],
    );
    for (const record of records) if (!collector.take(stored(session, record))) return collector.page();
    const last = records.at(-1);
    if (last === undefined || records.length < atOnce) return collector.page();
    from = '$2';
    place = last.first + 1;
  }
}

/** Every record has at least one event, so the newest `limit` records before a sequence are enough. */
export async function readBefore(
  { db, s }: Reading,
  row: StoredSessionRow,
  { session, before, limit }: ReadingBack,
): Promise<CollectedPage> {
  const records: StoredRecord[] = [];
  let place = before;
  for (;;) {
    const atOnce = Math.max(1, Math.min(limit, recordsAtOnce));
    const page = await db.soon<RecordRow>(
      `Reading session ${session}`,
      `SELECT ${columns(s)} FROM ${s}.records WHERE session = $1 AND first < $2 ORDER BY first DESC LIMIT $3`,
      [row.number, place, atOnce],
    );
    for (const record of page) records.push(stored(session, record));
    const last = page.at(-1);
    if (last === undefined || page.length < atOnce || last.first <= before - limit) break;
    place = last.first;
  }
  return collectBefore(records, { session, before, limit, head: row.seq });
}

interface RecordRow {
  readonly first: number;
  readonly last: number;
  readonly checksum: number;
  readonly body: string;
  readonly version: string | null;
}

const columns = (s: string) =>
  `first, last, checksum, body, (SELECT version FROM ${s}.writers WHERE writers.number = records.writer) AS version`;

function stored(session: SessionId, { version, ...record }: RecordRow): StoredRecord {
  return { session, ...record, ...(version !== null && { writtenBy: () => version }) };
}
