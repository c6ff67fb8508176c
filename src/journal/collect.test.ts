import { expect, test } from 'vitest';

import { first as session, record, recorded } from '../testing/contracts/journal-samples.ts';
import { encodeRecord } from './codec.ts';
import { type StoredRecord } from '../ports/stored-record.ts';
import { collectBefore, createCollector, type Collecting } from './collect.ts';

const a = encodeRecord(session, 1, record('a1', 'a2'));
const b = encodeRecord(session, 3, record('b3'));
const c = encodeRecord(session, 4, record('c4', 'c5'));
const events = recorded(1, 'a1', 'a2', 'b3', 'c4', 'c5');
const bad = (stored: StoredRecord): StoredRecord => ({ ...stored, checksum: stored.checksum + 1 });
const badReason = (at: number) => `the record at ${at} is damaged: its checksum does not match`;

function collect(records: readonly StoredRecord[], options: Partial<Collecting> = {}) {
  const collector = createCollector({ session, after: 0, limit: 100, head: 5, atDamage: 'stop', ...options });
  let taken = 0;
  for (const stored of records) {
    taken += 1;
    if (!collector.take(stored)) break;
  }
  return { taken, ...collector.page() };
}

test('[P5] a page holds whole records, and at least one', () => {
  expect(collect([a, b, c])).toEqual({ taken: 3, events, last: 5, damages: [] });
  expect(collect([a, b, c], { limit: 1 })).toEqual({ taken: 1, events: events.slice(0, 2), last: 5, damages: [] });
  expect(collect([a, b, c], { limit: 3 })).toEqual({ taken: 2, events: events.slice(0, 3), last: 5, damages: [] });
  expect(collect([a, b, c], { limit: 4 })).toEqual({ taken: 3, events: events.slice(0, 3), last: 5, damages: [] });
});

test('[P5] events at or before the wanted sequence are cut off', () => {
  expect(collect([a, b, c], { after: 1 }).events).toEqual(events.slice(1));
  expect(collect([b, c], { after: 2 }).events).toEqual(events.slice(2));
});

test('[P5] a record that was written after the head was read moves the end', () => {
  expect(collect([a, b, c], { head: 3 })).toEqual({ taken: 3, events, last: 5, damages: [] });
});

test('[P11] a gap, a bad record and a missing end are damage where they begin', () => {
  const gap = { session, seq: 3, reason: 'event 3 is missing' };
  expect(collect([a, c])).toEqual({ taken: 2, events: events.slice(0, 2), last: 5, damages: [gap] });
  expect(collect([b, c])).toEqual({
    taken: 1,
    events: [],
    last: 5,
    damages: [{ session, seq: 1, reason: 'events 1 to 2 are missing' }],
  });
  expect(collect([a, bad(b), c])).toEqual({
    taken: 2,
    events: events.slice(0, 2),
    last: 5,
    damages: [{ session, seq: 3, reason: badReason(3) }],
  });
  expect(collect([a])).toEqual({
    taken: 1,
    events: events.slice(0, 2),
    last: 5,
    damages: [{ session, seq: 3, reason: 'events 3 to 5 are missing' }],
  });
});

test('[P11] a reader that skips damage gets every damage and all intact records', () => {
  expect(collect([bad(a), c], { atDamage: 'go-on', head: 6 })).toEqual({
    taken: 2,
    events: events.slice(3),
    last: 6,
    damages: [
      { session, seq: 1, reason: badReason(1) },
      { session, seq: 3, reason: 'event 3 is missing' },
      { session, seq: 6, reason: 'event 6 is missing' },
    ],
  });
});

const back = (records: readonly StoredRecord[], before: number, limit: number, head = 5) =>
  collectBefore(records, { session, before, limit, head });

test('[P5] pages before a sequence hold the newest events, in order', () => {
  expect(back([c, b, a], 6, 100)).toEqual({ events, last: 5, damages: [] });
  expect(back([c, b, a], 6, 2)).toEqual({ events: events.slice(3), last: 5, damages: [] });
  expect(back([c, b, a], 5, 2)).toEqual({ events: events.slice(2, 4), last: 5, damages: [] });
  expect(back([a], 2, 5)).toEqual({ events: events.slice(0, 1), last: 5, damages: [] });
  expect(back([c, b, a], 6, 0)).toEqual({ events: [], last: 5, damages: [] });
});

test('[P11] reading backwards, too, reports where damage begins', () => {
  expect(back([c, a], 6, 100)).toEqual({
    events: events.slice(3),
    last: 5,
    damages: [{ session, seq: 3, reason: 'event 3 is missing' }],
  });
  expect(back([a], 6, 100)).toEqual({
    events: [],
    last: 5,
    damages: [{ session, seq: 3, reason: 'events 3 to 5 are missing' }],
  });
  expect(back([c, b], 6, 100)).toEqual({
    events: events.slice(2),
    last: 5,
    damages: [{ session, seq: 1, reason: 'events 1 to 2 are missing' }],
  });
  expect(back([c, bad(b), a], 6, 100)).toEqual({
    events: events.slice(3),
    last: 5,
    damages: [{ session, seq: 3, reason: badReason(3) }],
  });
  expect(back([], 1, 100)).toEqual({ events: [], last: 5, damages: [] });
});
