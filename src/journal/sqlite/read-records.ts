/** Reads on the main thread: short ones at once, long ones in pieces that yield to the event loop. */
import { setImmediate } from 'node:timers/promises';

import type { SessionId } from '../../kernel/ids.ts';
import { collectBefore, createCollector, type Collecting, type CollectedPage } from '../collect.ts';
import type { ReadingBack, StoredSessionRow } from '../stored-session-row.ts';
import type { Driver } from './driver.ts';

const recordsAtOnce = 500;
const recordsFurtherBack = 8;

export function findSession(db: Driver, session: SessionId): StoredSessionRow | undefined {
  return db.get<StoredSessionRow>(selectSession, session);
}

export async function readAfter(
  db: Driver,
  row: StoredSessionRow,
  options: Omit<Collecting, 'head'>,
): Promise<CollectedPage> {
  const { session, after, limit } = options;
  const collector = createCollector({ ...options, head: row.seq });
  const atOnce = Math.max(1, Math.min(limit, recordsAtOnce));
  const writtenBy = (first: number) => writerAt(db, row.number, first);
  let from = db.get<{ first: number | null }>(selectFirst, row.number, after + 1)?.first ?? 0;
  for (;;) {
    const records = db.all<RecordRow>(selectRecords, row.number, from, atOnce);
    for (const { first, last, checksum, body } of records) {
      if (!collector.take({ session, first, last, checksum, body, writtenBy })) return collector.page();
    }
    const last = records.at(-1);
    if (last === undefined || records.length < atOnce) return collector.page();
    from = last.first + 1;
    await setImmediate();
  }
}

export function readBefore(db: Driver, row: StoredSessionRow, options: ReadingBack): CollectedPage {
  const { session, before, limit } = options;
  return collectBefore(recordsBefore(db, row, options), { session, before, limit, head: row.seq });
}

/** Every record has at least one event, so this skips records that can't contain a wanted one. */
function* recordsBefore(db: Driver, row: StoredSessionRow, options: ReadingBack) {
  const { session, limit } = options;
  const writtenBy = (first: number) => writerAt(db, row.number, first);
  let { before } = options;
  let least = Math.min(before - 1, row.seq) - limit + 1;
  let atOnce = recordsAtOnce;
  for (;;) {
    const records = db.all<RecordRow>(selectRecordsBack, row.number, before, least, atOnce);
    for (const { first, last, checksum, body } of records) {
      yield { session, first, last, checksum, body, writtenBy };
    }
    before = records.at(-1)?.first ?? before;
    if (records.length === atOnce) continue;
    if (least <= 1) return;
    // If nothing is missing, the rest is in one record that starts further back.
    least = 1;
    atOnce = recordsFurtherBack;
  }
}

/** The version that wrote a record, if recorded. */
function writerAt(db: Driver, session: number, first: number): string | undefined {
  return db.get<{ version: string }>(selectWriter, session, first)?.version;
}

interface RecordRow {
  readonly first: number;
  readonly last: number;
  readonly checksum: number;
  readonly body: string;
}

const selectSession = `
  SELECT number, epoch, least_reader, damage_seq, damage_reason,
    max(least_seq, coalesce((SELECT last FROM records WHERE session = number ORDER BY first DESC LIMIT 1), 0)) AS seq
  FROM sessions WHERE id = ?`;
const selectFirst = 'SELECT max(first) AS first FROM records WHERE session = ? AND first <= ?';
const selectRecords =
  'SELECT first, last, checksum, body FROM records WHERE session = ? AND first >= ? ORDER BY first LIMIT ?';
const selectRecordsBack =
  'SELECT first, last, checksum, body FROM records WHERE session = ? AND first < ? AND first >= ? ORDER BY first DESC LIMIT ?';
const selectWriter = `
  SELECT version FROM writers WHERE position <= (SELECT position FROM records WHERE session = ? AND first = ?)
  ORDER BY position DESC LIMIT 1`;
