/** Parses the stored text on every read, so that callers don't share objects and damage shows. */
import { optional } from '../../kernel/optional.ts';
import { encodeRecord } from '../codec.ts';
import { type StoredRecord } from '../../ports/stored-record.ts';
import { collectBefore, createCollector, type Collecting, type CollectedPage } from '../collect.ts';
import type { Damage, Page } from '../../ports/journal.ts';
import type { MemorySession } from './shared.ts';

interface Range {
  readonly after: number;
  readonly limit?: number;
}

export function readAfter(session: MemorySession | undefined, range: Range): Page {
  return session === undefined ? { events: [], last: 0 } : noting(session, scan(session, range, 'stop'));
}

export function readBefore(
  session: MemorySession | undefined,
  { before, limit }: { readonly before: number; readonly limit: number },
): Page {
  if (session === undefined) return { events: [], last: 0 };
  const records = backwards(session, indexOf(session, before - 1));
  return noting(session, collectBefore(records, { session: session.id, before, limit, head: session.seq }));
}

export function checkRecords(session: MemorySession | undefined): readonly Damage[] {
  if (session === undefined) return [];
  const { damages } = scan(session, { after: 0 }, 'go-on');
  session.damage = damages[0];
  return damages;
}

/** Checks the newest record before a new owner appends after it. */
export function lookAtNewest(session: MemorySession): void {
  const newest = session.records.at(-1);
  if (newest !== undefined) readAfter(session, { after: newest.first - 1 });
}

/** Stores the damage that a read found: the session rejects writes. */
function noting(session: MemorySession, { events, last, damages }: CollectedPage): Page {
  const [damage] = damages;
  session.damage ??= damage;
  return { events, last, ...optional({ damage }) };
}

function scan(
  session: MemorySession,
  { after, limit = Infinity }: Range,
  atDamage: Collecting['atDamage'],
): CollectedPage {
  const collector = createCollector({ session: session.id, after, limit, head: session.seq, atDamage });
  for (const { first, record } of session.records.slice(Math.max(0, indexOf(session, after + 1)))) {
    if (!collector.take(encodeRecord(session.id, first, record))) break;
  }
  return collector.page();
}

function* backwards(session: MemorySession, from: number): Generator<StoredRecord> {
  for (const { first, record } of session.records.slice(0, from + 1).toReversed()) {
    yield encodeRecord(session.id, first, record);
  }
}

/** The index of the record that contains a sequence, or of the last record. */
function indexOf({ records }: MemorySession, seq: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((records[middle]?.first ?? Infinity) <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
