// The newest turn and its refusals, over a journal with pages of two events.
import { expect, test } from 'vitest';

import type { Journal } from '../../ports/journal.ts';
import { createMemoryStore } from '../../journal/memory-store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { findNewest, newestFirst, newestTurn } from './read-back.ts';
import { readRefusals } from './read-refusals.ts';
import { readStatus } from './read-status.ts';

async function setUp() {
  const store = createMemoryStore();
  const tools = [testTool('change', () => 'changed', { access: 'write' }), testTool('look', () => 'seen')];
  const rules = [{ verdict: 'deny', tool: 'change' }] as const;
  const rondo = await rondoOfTest(testingAgent({ store, tools, policy: { rules } } as never));
  const session = await rondo.sessions.create({
    rules: [{ verdict: 'deny', tool: 'change', origin: 'user' }],
  } as never);
  await session.chat('call change {"path":"a"}\nsay one');
  const { seq: first } = await session.status();
  await session.chat('call look {}\nsay two');
  const { events } = await session.events({ after: 0 });
  const { journal } = store;
  const inTwos: Journal = {
    ...journal,
    read: (of, given) => journal.read(of, { ...given, limit: Math.min(given.limit ?? 2, 2) }),
    readBack: (of, given) => journal.readBack(of, { ...given, limit: Math.min(given.limit, 2) }),
  };
  return { id: session.id, events, first, journal: inTwos };
}

test('[P10] the newest turn is read from its end, page by page, to its start', async () => {
  const { id, events, first, journal } = await setUp();
  const last = events.at(-1)?.seq ?? 0;
  const turn = await newestTurn(journal, id, last + 1);
  const start = turn.findIndex(({ event }) => event.type === 'turn-started');
  expect(turn).toEqual(events.slice(events.length - turn.length));
  expect(start).toBeGreaterThanOrEqual(0);
  expect(start).toBeLessThan(2);
  expect(await newestTurn(journal, id, 2)).toEqual(events.slice(0, 1));
  expect(await newestTurn(journal, 'ses_none' as SessionId, 5)).toEqual([]);
  expect(await newestFirst(journal, id, first + 1, 2)).toEqual(events.slice(first - 2, first).toReversed());
});

test('[P10] the newest event of a kind is found on whatever page it is, and none where there is none', async () => {
  const { id, events, journal } = await setUp();
  const last = events.at(-1)?.seq ?? 0;
  const created = await findNewest(journal, id, last + 1, ({ event }) => event.type === 'session-created');
  expect(created).toEqual(events[0]);
  const ended = events.filter(({ event }) => event.type === 'turn-ended');
  const isEnd = ({ event }: (typeof events)[number]) => event.type === 'turn-ended';
  expect(await findNewest(journal, id, last + 1, isEnd)).toEqual(ended.at(-1));
  expect(await findNewest(journal, id, last, isEnd)).toEqual(ended.at(-2));
  expect(await findNewest(journal, id, last + 1, () => false)).toBeUndefined();
});

test('[P8] refusals are reported only for their own turn', async () => {
  const { id, events, journal } = await setUp();
  const turns = events.filter(({ event }) => event.type === 'turn-started').map(({ seq }) => seq);
  const inFirst = await readRefusals(journal, id, turns[0]);
  expect(inFirst.all.map(({ tool, summary }) => `${tool} ${summary}`)).toEqual(['change a']);
  expect(inFirst.needed).toEqual(inFirst.all);
  expect(await readRefusals(journal, id, turns[1])).toEqual({ all: [], needed: [] });
  expect(await readRefusals(journal, id)).toEqual({ all: [], needed: [] });
});

test('an effect has been in flight since the event that intended it', async () => {
  const store = createMemoryStore();
  const started = Promise.withResolvers<void>();
  const stuck = testTool('stuck', () => (started.resolve(), new Promise<never>(() => {})));
  const rondo = await rondoOfTest(testingAgent({ store, tools: [stuck] }));
  const session = await rondo.sessions.create();
  void session.chat('call stuck {}').catch(() => undefined);
  await started.promise;
  const { events } = await session.events({ after: 0 });
  const intent = events.find(({ event }) => event.type === 'tool-run-intended');
  const status = await session.status();
  expect(status.doing).toMatchObject([{ since: intent?.at }]);
  const { state } = await rondo.sessions.load(session.id);
  expect((await readStatus(store.journal, state)).doing).toEqual(status.doing);
});
