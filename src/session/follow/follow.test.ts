import { expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { steppedModel } from '../../testing/stepped-model.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import type { Session } from '../handle/session.ts';
import type { Update } from '../update.ts';

/** An update as a short text: `event 3 turn-started`, `text @4 "lo"`. */
const word = (update: Update): string => {
  switch (update.type) {
    case 'event':
      return `event ${update.recorded.seq} ${update.recorded.event.type}`;
    case 'progress':
      return `${update.kind} @${update.offset} ${JSON.stringify(update.text)}`;
    case 'snapshot':
      return `snapshot ${update.seq}`;
    case 'gap':
      return `gap ${update.from}-${update.to}`;
  }
};

async function take(session: Session, options: { after?: number }, until: (seen: readonly string[]) => boolean) {
  const seen: string[] = [];
  for await (const update of session.follow(options)) {
    seen.push(word(update));
    if (until(seen)) break;
  }
  return seen;
}

const wholeTurn = [
  'event 1 session-created',
  'event 2 prompt-received',
  'event 3 turn-started',
  'event 4 model-call-intended',
];

test('[P5] from a sequence: every later event once, in order, with the text being streamed', async () => {
  const { model, say } = steppedModel(['Hel', 'lo']);
  const rondo = await rondoOfTest({ agents: { a: {} }, models: { m: model } });
  const session = await rondo.sessions.create();
  const seen = take(session, { after: 0 }, (words) => {
    // Text streamed before the follower has caught up arrives in one piece.
    if (words.at(-1)?.endsWith('model-call-intended') === true) void say(0);
    if (words.at(-1) === 'text @0 "Hel"') void say(1);
    return words.at(-1)?.endsWith('turn-ended') === true;
  });
  await session.chat('hi');
  expect(await seen).toEqual([
    ...wholeTurn,
    'text @0 "Hel"',
    'text @3 "lo"',
    'event 5 model-settled',
    'event 6 turn-ended',
  ]);
});

test('[P5] joining in mid-sentence gives the sentence so far, then the rest, without gap or repeat', async () => {
  const { model, say } = steppedModel(['The ses', 'sion nev', 'er loses']);
  const rondo = await rondoOfTest({ agents: { a: {} }, models: { m: model } });
  const session = await rondo.sessions.create();
  const reply = session.chat('hi');
  await say(0);
  await say(1);
  const caughtUp = Promise.withResolvers<void>();
  const late = take(session, { after: 4 }, (words) => {
    caughtUp.resolve();
    return words.at(-1)?.endsWith('turn-ended') === true;
  });
  const fromSnapshot = session.follow()[Symbol.asyncIterator]();
  const { value } = await fromSnapshot.next();
  expect(value).toMatchObject({ type: 'snapshot', seq: 4, view: { streaming: [{ text: 'The session nev' }] } });
  await caughtUp.promise;
  await say(2);
  await reply;
  expect(await late).toEqual([
    'text @0 "The session nev"',
    'text @15 "er loses"',
    'event 5 model-settled',
    'event 6 turn-ended',
  ]);
  expect(word((await fromSnapshot.next()).value as Update)).toBe('text @15 "er loses"');
  expect(word((await fromSnapshot.next()).value as Update)).toBe('event 5 model-settled');
});

test('[P5] a client that reconnects at every point of a turn sees every event exactly once', async () => {
  const rondo = await rondoOfTest(testingAgent());
  const session = await rondo.sessions.create();
  const seen: string[] = [];
  let after = 0;
  const reading = (async () => {
    while (seen.at(-1)?.endsWith('turn-ended') !== true) {
      for await (const update of session.follow({ after })) {
        if (update.type !== 'event') continue;
        seen.push(word(update));
        after = update.recorded.seq;
        break; // hang up after each event
      }
    }
  })();
  await session.chat('call nothing {}\nsay done');
  await reading;
  const { events } = await session.events({ after: 0 });
  expect(seen).toEqual(events.map(({ seq, event }) => `event ${seq} ${event.type}`));
});

test('[P5] [C97] a reader that falls too far behind gets a gap and a snapshot; others miss nothing', async () => {
  const rondo = await rondoOfTest(testingAgent({ followerLimit: 4 }));
  const session = await rondo.sessions.create();
  const slow = session.follow({ after: 0 })[Symbol.asyncIterator]();
  const first = slow.next();
  for (const text of ['one', 'two', 'three']) await session.chat(text);
  expect(word((await first).value as Update)).toBe('event 1 session-created');
  const seen: string[] = [];
  while (seen.at(-1)?.startsWith('snapshot') !== true) seen.push(word((await slow.next()).value as Update));
  const { seq } = await session.status();
  expect(seen.slice(-2)).toEqual([expect.stringMatching(new RegExp(`^gap \\d+-${seq}$`)), `snapshot ${seq}`]);
});

test('[P5] a sequence further back than the window is answered with a gap and a snapshot', async () => {
  const rondo = await rondoOfTest(testingAgent());
  const session = await rondo.sessions.create();
  for (const text of ['one', 'two']) await session.chat(text);
  const { seq } = await session.status();
  const seen: string[] = [];
  for await (const update of session.follow({ after: 1, window: 3 })) {
    seen.push(word(update));
    if (update.type === 'snapshot') break;
  }
  expect(seen).toEqual([`gap 2-${seq}`, `snapshot ${seq}`]);
});

test('a follower continues when the session hibernates, is closed here and is resumed by another process', async () => {
  const store = createMemoryStore();
  const one = await rondoOfTest(testingAgent({ store }));
  const two = await rondoOfTest(testingAgent({ store: store.another() }));
  const session = await one.sessions.create();
  await session.chat('one');
  const watching = await two.sessions.open(session.id);
  const caughtUp = Promise.withResolvers<void>();
  const seen = take(watching, { after: 0 }, (words) => {
    const ended = words.filter((text) => text.endsWith('turn-ended')).length;
    if (ended === 1) caughtUp.resolve();
    return ended === 2;
  });
  await caughtUp.promise;
  await session.chat('two');
  const words = (await seen).filter((text) => text.startsWith('event'));
  const { events } = await session.events({ after: 0 });
  expect(words).toEqual(events.map(({ seq, event }) => `event ${seq} ${event.type}`));
});

test('[P5] a follower in another process gets the sentence so far and every later piece', async () => {
  const store = createMemoryStore();
  const { model, say } = steppedModel(['The ses', 'sion nev', 'er loses']);
  const one = await rondoOfTest({ store, agents: { a: {} }, models: { m: model } });
  const two = await rondoOfTest(testingAgent({ store: store.another() }));
  const session = await one.sessions.create();
  const reply = session.chat('hi');
  await say(0);
  const watching = await two.sessions.open(session.id);
  const seen = take(watching, { after: 4 }, (words) => {
    if (words.length < 3) void say(words.length);
    return words.at(-1)?.endsWith('turn-ended') === true;
  });
  await reply;
  expect(await seen).toEqual([
    'text @0 "The ses"',
    'text @7 "sion nev"',
    'text @15 "er loses"',
    'event 5 model-settled',
    'event 6 turn-ended',
  ]);
});

test('[P5] a session that was never written is followed, and its prompt answered, without a look at the journal', async () => {
  const memory = createMemoryStore();
  const looked: string[] = [];
  const { head, read, readBack, loadSnapshot } = memory.journal;
  const noted =
    <Given extends readonly unknown[], Answer>(name: string, call: (...given: Given) => Answer) =>
    (...given: Given) => {
      looked.push(name);
      return call(...given);
    };
  const journal = {
    ...memory.journal,
    head: noted('head', head),
    read: noted('read', read),
    readBack: noted('readBack', readBack),
    loadSnapshot: noted('loadSnapshot', loadSnapshot),
  };
  const rondo = await rondoOfTest(testingAgent({ store: { ...memory, journal } }));
  const session = await rondo.sessions.create();
  const updates = session.follow()[Symbol.asyncIterator]();
  expect((await updates.next()).value).toMatchObject({
    type: 'snapshot',
    seq: 0,
    view: { transcript: { items: [] } },
  });
  expect((await session.chat('say hello')).outcome).toBe('completed');
  await updates.return?.();
  expect(looked).toEqual([]);
});

test('[P5] a snapshot holds the status and the conversation so far', async () => {
  const rondo = await rondoOfTest(testingAgent());
  const session = await rondo.sessions.create();
  await session.chat('say hello');
  const { value } = await session.follow()[Symbol.asyncIterator]().next();
  const [status, transcript] = [await session.status(), await session.transcript()];
  expect(transcript.items.length).toBeGreaterThan(0);
  expect(value).toEqual({ type: 'snapshot', seq: status.seq, view: { status, transcript, streaming: [] } });
});
