import { expect, test } from 'vitest';

import { createMemoryStore, type MemoryStore } from '../../journal/memory-store.ts';
import type { Store } from '../../ports/store.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { createRondo } from '../../rondo.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import type { Receipt } from '../receipt.ts';
import { awaitReceipt, sendLetter } from './submit-remotely.ts';
import { step } from '../../kernel/decide/step.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { LiveSession } from '../live/live-session.ts';
import { createLetterService } from './serve-letters.ts';

const by = { type: 'person', name: 'Ada' } as const;
const pay = testTool('pay', () => 'paid', { access: 'execute', repeat: 'never' });

async function asked(store: Store) {
  const rondo = await createRondo(testingAgent({ store, tools: [pay] }));
  const session = await rondo.sessions.create();
  const { questions } = await session.chat('call pay {}\nsay finished');
  const question = questions[0]?.id;
  if (question === undefined) throw new Error('Nothing was asked.');
  return {
    rondo,
    session,
    answer: { type: 'question-answered', question, answer: { type: 'allow-once' } } as const,
  };
}

/** The store of a process that dies right after the append that settles a letter. */
function dyingAfterSettling(store: MemoryStore): Store {
  return {
    ...store,
    journal: {
      ...store.journal,
      async append(request) {
        const answer = await store.journal.append(request);
        if (request.settles === undefined) return answer;
        store.crash();
        return new Promise<never>(() => {});
      },
    },
  };
}

test('[O8][P3] the sender of a winning answer learns that it won, though the owner dies right after the commit', async () => {
  const store = createMemoryStore();
  const sender = store.another();
  const { session, answer } = await asked(dyingAfterSettling(store));
  const letter = await sendLetter(sender, session.id, answer, { by, key: 'k1' });
  expect(await awaitReceipt(sender, session.id, letter)).toMatchObject({ type: 'accepted' });
  // The next owner finds no letter. The same answer, sent again from elsewhere, gets the same receipt.
  const next = await rondoOfTest(testingAgent({ store: sender, tools: [pay] }));
  expect(await sender.inbox.take(session.id)).toEqual([]);
  const opened = await next.sessions.open(session.id);
  expect(await opened.wait()).toMatchObject({ outcome: 'completed' });
});

test('[O8] an answer sent twice under one key is accepted twice, also when both copies wait at once', async () => {
  const store = createMemoryStore();
  const sender = store.another();
  const { rondo, session, answer } = await asked(store);
  const letters = await Promise.all([1, 2].map(() => sendLetter(sender, session.id, answer, { by, key: 'k1' })));
  const receipts = await Promise.all(letters.map((letter) => awaitReceipt(sender, session.id, letter)));
  expect(receipts.map((receipt) => (receipt as Receipt).type)).toEqual(['accepted', 'accepted']);
  expect(receipts[1]).toEqual(receipts[0]);
  await rondo.close();
});

test.each([
  ['no JSON', 'can’t be read'],
  ['{"by":null}', 'can’t be read'],
  ['{"body":{"type":"telepathy"},"by":{"type":"person","name":"Ada"}}', 'Unknown kind of input: telepathy'],
  [
    '{"body":{"type":"telepathy"},"by":{"type":"person","name":"Ada"},"reader":99}',
    'Needs upgrade: the session\'s node doesn\'t know the input "telepathy". It has reader version',
  ],
  ['{"body":{"type":"session-recovered","epoch":9},"by":{"type":"person","name":"Ada"}}', 'Unknown kind of input'],
  ['{"body":{"type":"prompt-received"},"by":{"type":"person","name":"Ada"}}', 'The input is invalid'],
])(
  "[O8] a letter that can't be processed (%s) is refused and kept, and doesn't block later ones",
  async (body, words) => {
    const store = createMemoryStore();
    const sender = store.another();
    const { rondo, session, answer } = await asked(store);
    const bad = await sender.inbox.put(session.id, { key: 'bad', body });
    const good = await sendLetter(sender, session.id, answer, { by, key: 'good' });
    expect(await awaitReceipt(sender, session.id, good)).toMatchObject({ type: 'accepted' });
    expect(await awaitReceipt(sender, session.id, bad)).toMatchObject({
      type: 'refused',
      refusal: { message: expect.stringContaining(words) as string },
    });
    expect(await sender.inbox.buried()).toMatchObject([{ id: bad, body }]);
    await rondo.close();
  },
);

test("[O14] letters that couldn't be read on arrival are read later", async () => {
  const store = createMemoryStore();
  const sender = store.another();
  let failures = 2;
  const unreadable: Store = {
    ...store,
    inbox: {
      ...store.inbox,
      take: (id: SessionId) => {
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Fault('unreadable', 'Not now.')) : store.inbox.take(id);
      },
    },
  };
  const { rondo, session, answer } = await asked(unreadable);
  const letter = await sendLetter(sender, session.id, answer, { by, key: 'k1' });
  expect(await awaitReceipt(sender, session.id, letter)).toMatchObject({ type: 'accepted' });
  await rondo.close();
});

test('[O8] a letter that changes nothing is settled too: once, with an answer to its sender', async () => {
  const store = createMemoryStore();
  const sender = store.another();
  const rondo = await createRondo(testingAgent({ store }));
  const session = await rondo.sessions.create();
  await session.chat('say done');
  const { seq } = await session.status();
  const letter = await sendLetter(sender, session.id, { type: 'interrupted' }, { by, key: 'k1' });
  expect(await awaitReceipt(sender, session.id, letter)).toEqual({ type: 'accepted', seq });
  expect([await sender.inbox.take(session.id), (await session.status()).seq]).toEqual([[], seq]);
  await rondo.close();
});

test('[O14] a letter that arrives while a round ends is taken, however close to its end', async () => {
  for (let turns = 0; turns < 20; turns += 1) {
    let taken = 0;
    let arrived = 0;
    const take: Inbox['take'] = async () => {
      taken = arrived;
      return [];
    };
    const letters = createLetterService({ ...createMemoryStore().inbox, take }, step);
    const live = { id: 'ses_a' } as LiveSession;
    void letters.serve(live);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    arrived = 1;
    await letters.serve(live);
    expect([turns, taken]).toEqual([turns, 1]);
  }
});

test('[O5][P3] a caller that waits beside a silent owner is not told to answer what was answered; it takes the session over', async () => {
  const store = createMemoryStore();
  // A stopped process notices no letters.
  const { session, answer } = await asked({
    ...store,
    inbox: { ...store.inbox, onArrival: () => () => undefined },
  });
  const seat = store.another();
  const clock = createFakeClock();
  const next = await rondoOfTest(testingAgent({ store: seat, clock, tools: [pay] }));
  const opened = await next.sessions.open(session.id);
  const unanswered = opened.wait({ whenAsked: 'return' });
  await expect.poll(() => clock.advance(1000).then(() => settled(unanswered))).toBe(true);
  expect(await unanswered).toMatchObject({ outcome: 'needs-input' });
  await sendLetter(seat, session.id, answer, { by, key: 'k1' });
  const waiting = opened.wait({ whenAsked: 'return' });
  for (let second = 0; second < 20; second += 1) await clock.advance(1000);
  expect(await settled(waiting)).toBe(false);
  store.crash();
  await expect.poll(() => clock.advance(1000).then(() => settled(waiting))).toBe(true);
  expect(await waiting).toMatchObject({ outcome: 'completed', text: 'finished' });
});

/** True if it has settled by the end of this event-loop turn. */
function settled(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([promise.then(() => true), turn]);
}
