import { expect, test } from 'vitest';

import type { Journal } from '../../ports/journal.ts';
import { createMemoryStore } from '../../journal/memory-store.ts';
import { system } from '../../kernel/actor.ts';
import type { Event, Recorded } from '../../kernel/event.ts';
import { evolve } from '../../kernel/evolve/evolve.ts';
import { newState } from '../../kernel/state.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { extendMessages, loadConversation, newContextMessages } from './context-messages.ts';

/** A session of two turns with a slow journal: each read waits until the test releases it. */
async function setUp() {
  const store = createMemoryStore();
  const rondo = await rondoOfTest(testingAgent({ store }));
  const session = await rondo.sessions.create();
  await session.chat('one');
  const { seq } = await session.status();
  await session.chat('two');
  const { events } = await session.events({ after: 0 });
  await rondo.close();
  const other = store.another();
  const gates: PromiseWithResolvers<void>[] = [];
  const journal: Journal = {
    ...other.journal,
    async read(of, given) {
      const page = await other.journal.read(of, given);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return page;
    },
  };
  const state = events.filter((each) => each.seq <= seq).reduce(evolve, newState(session.id));
  const source = { store: { journal, blobs: other.blobs }, of: { session: session.id, state } };
  const held = newContextMessages(state);
  const letThrough = async () => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (const gate of gates.splice(0)) gate.resolve();
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { held, source, events, seq, letThrough };
}

const texts = (messages: readonly { readonly text: unknown }[]) => messages.map(({ text }) => text);
const both = ['one', 'You said: one', 'two', 'You said: two'];

test('[P10] messages are read once, when they are first wanted, and grow with the events after that', async () => {
  const { held, source, letThrough } = await setUp();
  const [first, second] = [loadConversation(held, source), loadConversation(held, source)];
  await letThrough();
  expect(await first).toBe(await second);
  expect(texts((await first).messages)).toEqual(both);
  expect(await loadConversation(held, source)).toBe(await first);
});

test('[P5] events that come while the messages are read are in them once, whether the reading saw them or not', async () => {
  const { held, source, events, letThrough } = await setUp();
  const loading = loadConversation(held, source);
  const last = events.at(-1)?.seq ?? 0;
  const later = (seq: number, event: Event): Recorded => ({ seq, at: 1, by: system, event });
  for (const recorded of events.slice(-5)) extendMessages(held, recorded);
  const request = { type: 'chat', text: 'three' } as const;
  extendMessages(held, later(last + 1, { type: 'prompt-received', request, delivery: 'queue' }));
  extendMessages(held, later(last + 2, { type: 'turn-started', prompt: last + 1 }));
  await letThrough();
  expect(texts((await loading).messages)).toEqual([...both, 'three']);
});

test.each<[string, Event, number]>([
  ['a rewind', { type: 'rewound', to: 1, context: { from: 1, messages: 0, tokens: 0 } }, 2],
  [
    'a compaction that left something out',
    {
      type: 'compaction-settled',
      effect: 'ses_1.4',
      outcome: { type: 'failed', message: 'm', rest: { from: 1, messages: 0, tokens: 0 } },
    } as unknown as Event,
    2,
  ],
  [
    'a compaction that left nothing out',
    {
      type: 'compaction-settled',
      effect: 'ses_1.4',
      outcome: { type: 'failed', message: 'm' },
    } as unknown as Event,
    1,
  ],
  [
    'a compaction that was not needed',
    {
      type: 'compaction-settled',
      effect: 'ses_1.4',
      outcome: { type: 'unneeded', message: 'm', rest: undefined },
    } as unknown as Event,
    1,
  ],
])('[C119] after %s the messages are read again where they changed', async (_, event, readings) => {
  const { held, source, letThrough } = await setUp();
  let count = 0;
  const counted = {
    ...source,
    get store() {
      count += 1;
      return source.store;
    },
  };
  const loading = loadConversation(held, counted);
  await new Promise<void>((resolve) => setImmediate(resolve));
  extendMessages(held, { seq: 99, at: 1, by: system, event });
  await letThrough();
  await letThrough();
  expect(texts((await loading).messages)).toEqual(both);
  expect(count).toBe(readings);
});

test('[P2] a reading that failed is tried again', async () => {
  const { held, source, letThrough } = await setUp();
  const broken = { ...source, store: { ...source.store, journal: {} as Journal } };
  await expect(loadConversation(held, broken)).rejects.toThrow('not a function');
  const loading = loadConversation(held, source);
  await letThrough();
  expect(texts((await loading).messages)).toEqual(both);
});
