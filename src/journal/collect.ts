/**
 * Turns stored records into a page of events, for every store.
 *
 * 1. A page holds whole records, at least one if there is one. Only events up to `after` are cut off.
 * 2. A bad record, a gap between records and a missing end are damage at the sequence where they begin.
 */
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import { decodeRecord } from './codec.ts';
import { type StoredRecord } from '../ports/stored-record.ts';
import type { Damage } from '../ports/journal.ts';

export interface Collecting {
  readonly session: SessionId;
  readonly after: number;
  readonly limit: number;
  /** The journal's newest sequence before the records were read. */
  readonly head: number;
  readonly atDamage: 'stop' | 'go-on';
}

export interface CollectedPage {
  readonly events: readonly Recorded[];
  readonly last: number;
  readonly damages: readonly Damage[];
}

interface Collector {
  /**
   * Adds the next record, oldest first, starting with the one that contains the sequence after `after`. False: the
   * page is full.
   */
  take(record: StoredRecord): boolean;
  /** Call when the page is full or there are no more records. */
  page(): CollectedPage;
}

export function createCollector({ session, after, limit, head, atDamage }: Collecting): Collector {
  const events: Recorded[] = [];
  const damages: Damage[] = [];
  let reached = after;
  let last = head;
  let isDone = false;

  function add(record: StoredRecord): boolean {
    last = Math.max(last, record.last);
    if (record.first > reached + 1) {
      damages.push({ session, seq: reached + 1, reason: missing(reached + 1, record.first - 1) });
      if (atDamage === 'stop') return false;
    }
    const decoded = decodeRecord(record);
    if (decoded.type === 'damaged') {
      damages.push(badRecord(record, decoded.reason));
      if (atDamage === 'stop') return false;
    } else {
      const wanted = record.first > after ? decoded.events : decoded.events.filter(({ seq }) => seq > after);
      if (events.length > 0 && events.length + wanted.length > limit) return false;
      for (const event of wanted) events.push(event);
    }
    reached = record.last;
    return events.length < limit;
  }

  return {
    take(record) {
      isDone = !add(record);
      return !isDone;
    },
    page() {
      if (isDone || reached >= head) return { events, last, damages };
      return {
        events,
        last,
        damages: [...damages, { session, seq: reached + 1, reason: missing(reached + 1, head) }],
      };
    },
  };
}

/** `records` start with the one that contains the sequence before `before`, newest first. */
export function collectBefore(
  records: Iterable<StoredRecord>,
  options: Omit<Collecting, 'after' | 'atDamage'> & { readonly before: number },
): CollectedPage {
  const { session, before, limit, head } = options;
  const pages: (readonly Recorded[])[] = [];
  let count = 0;
  let wanted = Math.min(before - 1, head);
  const page = (damages: readonly Damage[]): CollectedPage => ({
    events: limit === 0 ? [] : pages.toReversed().flat().slice(-limit),
    last: head,
    damages,
  });
  for (const record of records) {
    if (record.last < wanted)
      return page([{ session, seq: record.last + 1, reason: missing(record.last + 1, wanted) }]);
    const decoded = decodeRecord(record);
    if (decoded.type === 'damaged') return page([badRecord(record, decoded.reason)]);
    const earlier = record.last < before ? decoded.events : decoded.events.filter(({ seq }) => seq < before);
    pages.push(earlier);
    count += earlier.length;
    wanted = record.first - 1;
    if (count >= limit) return page([]);
  }
  return page(wanted > 0 ? [{ session, seq: 1, reason: missing(1, wanted) }] : []);
}

function badRecord({ session, first }: StoredRecord, reason: string): Damage {
  return { session, seq: first, reason: `the record at ${first} is damaged: ${reason}` };
}

function missing(from: number, to: number): string {
  return from === to ? `event ${from} is missing` : `events ${from} to ${to} are missing`;
}
