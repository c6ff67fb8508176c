import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { decodeRecord } from '../../../src/journal/codec.ts';
import { type StoredRecord } from '../../../src/ports/stored-record.ts';
import type { Recorded } from '../../../src/kernel/event.ts';
import { evolve } from '../../../src/kernel/evolve/evolve.ts';
import { newState } from '../../../src/kernel/state.ts';
import type { WireProgress } from '../../../src/protocol/server-message.ts';
import { itemsBetween } from '../../../src/views/persistent-list.ts';
import { statusOf } from '../../../src/views/status.ts';
import { lastPage, pageBefore } from '../../../src/views/transcript-page.ts';
import { transcriptOf } from '../../../src/views/transcript.ts';
import { shownItems, viewOfSnapshot, viewWith, viewWithEarlier, type SessionView } from './session-view.ts';

const lines = readFileSync(new URL('../../../test/golden/v0.1.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean);
const records = lines.map((line) => JSON.parse(line) as StoredRecord);
const { session } = records[0] ?? { session: '' as StoredRecord['session'] };
const events = records.flatMap((record): readonly Recorded[] => {
  const decoded = decodeRecord(record);
  return decoded.type === 'decoded' ? decoded.events : [];
});

function snapshotAt(count: number, page: number): SessionView {
  const before = events.slice(0, count);
  const status = statusOf(before.reduce(evolve, newState(session)));
  return viewOfSnapshot({ status, transcript: lastPage(transcriptOf(session, before), page), streaming: [] });
}

const progress = (effect: string, attempt: number, offset: number, text: string): WireProgress => ({
  type: 'progress',
  session,
  effect: effect as WireProgress['effect'],
  attempt,
  kind: 'text',
  offset,
  text,
});

test('[P5] the tail first, earlier pages before it, later events after it: together the whole conversation', () => {
  const whole = transcriptOf(session, events);
  let view = snapshotAt(events.length - 10, 8);
  for (const recorded of events.slice(-10)) view = viewWith(view, { type: 'event', session, ...recorded });
  while (view.before !== undefined) view = viewWithEarlier(view, pageBefore(whole, view.before, 7));
  const shown = shownItems({ ...view, items: view.transcript.items });
  expect(shown.map(({ id }) => id)).toEqual(itemsBetween(whole.items, 0, whole.items.length).map(({ id }) => id));
});

test('[P5] streamed text grows, begins again with a new attempt, and an older attempt says nothing more', () => {
  const effect = `${session}.999`;
  const said = [
    progress(effect, 1, 0, 'Hello '),
    progress(effect, 1, 6, 'wor'),
    progress(effect, 2, 0, 'Good '),
    progress(effect, 1, 9, 'ld'),
    progress(effect, 2, 5, 'day'),
  ].reduce<SessionView>(viewWith, snapshotAt(5, 10));
  expect(said.streams).toEqual([{ effect, attempt: 2, text: 'Good day', reasoning: '', output: '' }]);
});
