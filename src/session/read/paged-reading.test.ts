// Long sessions are read in pages of thousands of events. A journal with pages of three events shows the same seams
// in a short session.
import { expect, test } from 'vitest';

import type { Journal } from '../../ports/journal.ts';
import { createMemoryStore } from '../../journal/memory-store.ts';
import { evolve } from '../../kernel/evolve/evolve.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { newState } from '../../kernel/state.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { loadSession } from './load-session.ts';
import { restAt } from './past-state.ts';
import { readConversation } from './read-conversation.ts';
import { readPages, readSpan } from './read-span.ts';

async function twoTurns() {
  const store = createMemoryStore();
  const rondo = await rondoOfTest(testingAgent({ store }));
  const session = await rondo.sessions.create();
  await session.chat('one');
  await session.chat('two');
  const { events } = await session.events({ after: 0 });
  await rondo.close();
  const { journal, blobs } = store.another();
  const inThrees: Journal = {
    ...journal,
    loadSnapshot: async () => undefined,
    read: (of, given) => journal.read(of, { ...given, limit: Math.min(given.limit ?? 3, 3) }),
  };
  return { id: session.id, events, blobs, journal: inThrees };
}

test('[P1] [P10] a session is loaded over every page of its journal', async () => {
  const { id, events, journal } = await twoTurns();
  const state = events.reduce(evolve, newState(id));
  expect(await loadSession(journal, id)).toEqual({ state, snapshotSeq: 0, snapshotSize: 0 });
});

test('[C119] the last rest before an event is found on whatever page it is', async () => {
  const { id, events, journal } = await twoTurns();
  const stateAt = (seq: number) => events.filter((each) => each.seq <= seq).reduce(evolve, newState(id));
  expect(events.map(({ seq, event }) => `${seq} ${event.type}`)).toEqual([
    '1 session-created',
    '2 prompt-received',
    '3 turn-started',
    '4 model-call-intended',
    '5 model-settled',
    '6 turn-ended',
    '7 prompt-received',
    '8 turn-started',
    '9 model-call-intended',
    '10 model-settled',
    '11 turn-ended',
  ]);
  expect(await restAt(journal, id, 11)).toEqual(stateAt(11));
  expect(await restAt(journal, id, 99)).toEqual(stateAt(11));
  expect(await restAt(journal, id, 10)).toEqual(stateAt(7));
  expect(await restAt(journal, id, 6)).toEqual(stateAt(6));
  expect(await restAt(journal, id, 5)).toEqual(stateAt(2));
  expect(await restAt(journal, id, 0)).toBeUndefined();
  expect(await restAt(journal, 'ses_none' as SessionId, 5)).toBeUndefined();
});

test('a span is read over its pages, from its first to its last event', async () => {
  const { id, events, journal } = await twoTurns();
  const between = (from: number, to: number) => events.filter(({ seq }) => seq >= from && seq <= to);
  expect(await readSpan(journal, id, { from: 1 })).toEqual(events);
  expect(await readSpan(journal, id, { from: 2, to: 2 })).toEqual(between(2, 2));
  expect(await readSpan(journal, id, { from: 2, to: 6 })).toEqual(between(2, 6));
  expect(await readSpan(journal, id, { from: 4, to: 99 })).toEqual(between(4, 99));
  expect(await readSpan(journal, id, { from: 4, to: 3 })).toEqual([]);
  expect(await readSpan(journal, id, { from: 99 })).toEqual([]);
});

test('reading stops with the last event, without another query', async () => {
  const { id, events, journal } = await twoTurns();
  const reads: number[] = [];
  const counted: Journal = {
    ...journal,
    read(of, given) {
      reads.push(given.after ?? 0);
      return journal.read(of, given);
    },
  };
  const pages: number[] = [];
  for await (const page of readPages(counted, id, { from: 1, to: 6 })) pages.push(...page.map(({ seq }) => seq));
  expect(pages).toEqual([1, 2, 3, 4, 5, 6]);
  expect(Math.max(...reads)).toBeLessThan(6);
  const whole = [
    () => readSpan(counted, id, { from: 1 }),
    () => loadSession(counted, id),
    () => restAt(counted, id, 99),
  ];
  for (const read of whole) {
    reads.length = 0;
    await read();
    expect(Math.max(...reads)).toBeLessThan(events.length);
  }
});

test('[C119] a conversation knows how far it was read, also without newer events', async () => {
  const { id, journal, blobs } = await twoTurns();
  const lastFrom = async (from: number) =>
    (await readConversation({ journal, blobs }, id, { from, messages: 0, tokens: 0 })).last;
  expect(await Promise.all([1, 7, 11, 12].map(lastFrom))).toEqual([11, 11, 11, 11]);
});
