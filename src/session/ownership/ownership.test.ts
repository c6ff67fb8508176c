import { expect, test } from 'vitest';

import { createMemoryStore, type MemoryStore } from '../../journal/memory-store.ts';
import { createRondo } from '../../rondo.ts';
import type { Clock } from '../../ports/clock.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

const change = (run: () => string) =>
  testTool('change', run, { access: 'write', repeat: 'never', order: 'exclusive' });

test('[P3] [P4] a question asked in one process is answered from another, once; the second answer names the first', async () => {
  const store = createMemoryStore();
  const owner = await rondoOfTest(testingAgent({ store, tools: [change(() => 'changed')] }));
  const other = await rondoOfTest(testingAgent({ store: store.another() }));
  const session = await owner.sessions.create();
  const asked = await session.chat('call change {}\nsay finished');
  const question = asked.questions[0]?.id ?? '';
  const elsewhere = await other.sessions.open(session.id);
  expect(await elsewhere.status()).toMatchObject({ lifecycle: 'waiting' });
  const person = { type: 'person', name: 'ada' } as const;
  expect(await elsewhere.answer(question, { type: 'allow-once' }, { by: person })).toMatchObject({
    type: 'accepted',
  });
  expect(await session.wait({ whenAsked: 'wait' })).toMatchObject({ outcome: 'completed', text: 'finished' });
  expect(await elsewhere.answer(question, { type: 'reject' })).toEqual({
    type: 'refused',
    refusal: { code: 'conflict', message: `question ${question} was answered "allow-once" by ada already` },
  });
});

test('[P4] a prompt from another process runs in the owner, and its reply comes back', async () => {
  const store = createMemoryStore();
  const owner = await rondoOfTest(testingAgent({ store }));
  const other = await rondoOfTest(testingAgent({ store: store.another() }));
  const session = await owner.sessions.create();
  await session.chat('hello');
  const elsewhere = await other.sessions.open(session.id);
  expect(await elsewhere.chat('from afar')).toMatchObject({ outcome: 'completed', text: 'You said: from afar' });
  const { events } = await session.events({ after: 0 });
  expect(events.filter(({ event }) => event.type === 'turn-started')).toHaveLength(2);
});

/** A session whose process dies while a call runs. */
async function crashedInCall(store: MemoryStore) {
  const started = Promise.withResolvers<void>();
  const stuck = testTool('stuck', () => (started.resolve(), new Promise(() => {})), { repeat: 'never' });
  const first = await createRondo(testingAgent({ store, tools: [stuck] }));
  const session = await first.sessions.create();
  void session.chat('call stuck {}\nsay I checked').catch(() => undefined);
  await started.promise;
  store.crash();
  return { session, stuck };
}

test('[P2] [P4] a dead owner is taken over at once: its children are ended first, then what was in flight is recovered', async () => {
  const store = createMemoryStore();
  const order: string[] = [];
  const { session } = await crashedInCall(store);
  const second = await rondoOfTest(
    testingAgent({
      store: store.another(),
      tools: [testTool('stuck', () => (order.push('ran again'), 'x'), { repeat: 'never' })],
      killOrphans: async (_session, { below }) => void order.push(`orphans below epoch ${below} killed`),
    }),
  );
  expect(await second.adopt()).toEqual([session.id]);
  const again = await second.sessions.open(session.id);
  expect(await again.wait()).toMatchObject({
    outcome: 'completed',
    text: 'I checked',
  });
  expect(order).toEqual(['orphans below epoch 2 killed']);
  const { events } = await again.events({ after: 0 });
  expect(events.find(({ event }) => event.type === 'tool-settled')?.event).toMatchObject({
    result: { type: 'error', code: 'interrupted' },
  });
});

test('[P4] a stale owner that wakes up cannot write: its session is suspended and nothing of it is lost', async () => {
  const store = createMemoryStore();
  const stale = await createRondo(testingAgent({ store }));
  const session = await stale.sessions.create();
  await session.chat('hello');
  store.lapse();
  const second = await rondoOfTest(testingAgent({ store: store.another() }));
  const taken = await second.sessions.open(session.id);
  await taken.chat('mine now');
  const late = await session.chat('am I still the owner?').then(
    (reply) => reply.outcome,
    (error: Error) => error.message,
  );
  expect(late).not.toBe('failed');
  const { events } = await taken.events({ after: 0 });
  const prompts = events.flatMap(({ event }) =>
    event.type === 'prompt-received' && event.request.type === 'chat' ? [event.request.text] : [],
  );
  expect(prompts.slice(0, 2)).toEqual(['hello', 'mine now']);
  await stale.close();
});

const asleepSoon = (clock: Clock) =>
  testingAgent({
    clock,
    hibernateAfterMs: 1000,
    limits: { questionExpiryMs: 60_000 },
    tools: [change(() => 'x')],
  });

test('[P10] an idle session leaves memory and comes back where it was; its timer wakes it', async () => {
  const clock = createFakeClock();
  const rondo = await rondoOfTest(asleepSoon(clock));
  const session = await rondo.sessions.create();
  await session.chat('hello');
  const asking = await rondo.sessions.create();
  await asking.chat('call change {}\nsay nobody answered');
  await clock.advance(3000);
  expect(clock.armed.length).toBeGreaterThan(0);
  expect((await session.chat('back again')).text).toBe('You said: back again');
  await clock.advance(60_000);
  expect(await asking.result()).toMatchObject({ outcome: 'completed', text: 'nobody answered' });
});

test('[O9] a session whose owner is gone is left to the nodes before this one for as many looks', async () => {
  const store = createMemoryStore();
  const { session, stuck } = await crashedInCall(store);
  const third = await rondoOfTest(testingAgent({ store: store.another(), tools: [stuck] }));
  const ranked: string[] = [];
  const adopt = () =>
    third.adopt((claimable) => {
      ranked.push(claimable.session);
      return 2;
    });
  expect([await adopt(), await adopt(), await adopt()]).toEqual([[], [], [session.id]]);
  expect(ranked).toEqual([session.id, session.id, session.id]);
});

test('[P10] a wait comes to its end where the clock was set back by a day, longer than a session stays idle in memory', async () => {
  const clock = createFakeClock({ now: 1_800_000_000_000 });
  const rondo = await rondoOfTest(asleepSoon(clock));
  const asking = await rondo.sessions.create();
  await asking.chat('call change {}\nsay nobody answered');
  clock.set(-86_400_000);
  await rondo.adopt();
  for (let second = 0; second < 130; second += 1) await clock.advance(1000);
  expect(await asking.result()).toMatchObject({ outcome: 'completed', text: 'nobody answered' });
});

test("[P9] [P4] a waiter resumes another process's turn when that process leaves in the middle of it", async () => {
  const store = createMemoryStore();
  const started = Promise.withResolvers<void>();
  const stuck = testTool('slow', () => (started.resolve(), new Promise(() => {})));
  const owner = await createRondo(testingAgent({ store, tools: [stuck] }));
  const other = await rondoOfTest(
    testingAgent({ store: store.another(), tools: [testTool('slow', () => 'done here')] }),
  );
  const session = await owner.sessions.create();
  await session.chat('hello');
  const elsewhere = await other.sessions.open(session.id);
  const reply = elsewhere.chat('call slow {}\nsay taken up');
  await started.promise;
  await owner.close();
  expect(await reply).toMatchObject({ outcome: 'completed', text: 'taken up' });
});

test('[P3] [P4] a prompt from another process returns when its turn needs an answer, and its end can be awaited from there', async () => {
  const store = createMemoryStore();
  const owner = await rondoOfTest(testingAgent({ store, tools: [change(() => 'changed')] }));
  const other = await rondoOfTest(testingAgent({ store: store.another() }));
  const session = await owner.sessions.create();
  await session.chat('hello');
  const elsewhere = await other.sessions.open(session.id);
  const asked = await elsewhere.chat('call change {}\nsay finished');
  expect(asked.outcome).toBe('needs-input');
  const question = asked.questions[0]?.id ?? '';
  const ended = elsewhere.wait({ whenAsked: 'wait' });
  expect(await session.answer(question, { type: 'allow-once' })).toMatchObject({ type: 'accepted' });
  expect(await ended).toMatchObject({ outcome: 'completed', text: 'finished' });
});
