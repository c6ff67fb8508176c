import { describe, expect, test } from 'vitest';

import { createMemoryStore, type MemoryStore } from '../../journal/memory-store.ts';
import type { Store } from '../../ports/store.ts';
import { previewOf } from '../../kernel/content.ts';
import { optional } from '../../kernel/optional.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { watchedModel } from '../../testing/watched-model.ts';
import type { TranscriptPage } from '../../views/transcript-page.ts';

async function setUp(store = createMemoryStore()) {
  const { model, messages } = watchedModel();
  const rondo = await rondoOfTest({
    store,
    agents: { a: {} },
    models: { m: model },
    tools: [testTool('look', () => 'seen')],
    limits: { steps: 7 },
  });
  return { rondo, store, messages };
}

const texts = ({ items }: TranscriptPage) =>
  items.flatMap((item) => (item.type === 'message' ? [`${item.id} ${previewOf(item.text)}`] : []));

describe('a fork', () => {
  test('[C119][P10] records what differs from the defaults, and nothing else', async () => {
    const rondo = await rondoOfTest(testingAgent());
    const session = await rondo.sessions.create();
    await session.chat('say one');
    const fork = await session.fork();
    const { events } = await fork.events({ after: 0 });
    const { agent, mode, cwd, seq, context } = (await rondo.sessions.load(session.id)).state;
    expect(events.map(({ event }) => event)).toEqual([
      {
        type: 'session-forked',
        agent,
        mode,
        cwd,
        title: 'say one',
        origin: {
          session: session.id,
          at: seq,
          context: { ...context, from: 1, spans: [{ session: session.id, from: context.from, to: seq }] },
        },
      },
    ]);
  });

  test('[C119][V11] continues from an event, independently of its origin', async () => {
    const { rondo, messages } = await setUp();
    const session = await rondo.sessions.create({ title: 'A pot' });
    await session.chat('say one');
    const { seq } = await session.status();
    await session.chat('say two');
    const fork = await session.fork({ at: seq });
    await fork.chat('say three');

    expect(messages()).toEqual([
      { role: 'user', text: 'say one' },
      { role: 'assistant', text: 'one', calls: [] },
      { role: 'user', text: 'say three' },
    ]);
    expect(await fork.status()).toMatchObject({
      title: 'A pot',
      origin: { session: session.id, at: seq },
      limits: { steps: 7 },
      usage: { turns: 1 },
    });
    await session.chat('say four');
    expect(messages().at(-3)).toEqual({ role: 'user', text: 'say two' });
  });

  test('[C119][P10] shares history by reference: it writes one event, however long its origin is', async () => {
    const { rondo } = await setUp();
    const session = await rondo.sessions.create();
    for (let turn = 0; turn < 20; turn += 1) await session.chat(`say ${'word '.repeat(50)}`);
    const fork = await session.fork();
    const { events } = await fork.events({ after: 0 });

    expect(events.map(({ event }) => event.type)).toEqual(['session-forked']);
    expect(JSON.stringify(events).length).toBeLessThan(1000);
    expect((await rondo.sessions.list({ origin: session.id })).entries.map((entry) => entry.session)).toEqual([
      fork.id,
    ]);
  });

  test('[C119] shows what it shares: the transcript goes back into the origin, page by page, and further', async () => {
    const { rondo } = await setUp();
    const session = await rondo.sessions.create();
    await session.chat('say one');
    const second = await session.fork();
    await session.chat('say not shared');
    await second.chat('say two');
    const third = await second.fork();
    await third.chat('say three');

    const whole = await third.transcript();
    expect(texts(whole)).toEqual([`${session.id}:5 one`, `${second.id}:5 two`, '5 three']);
    const pages: string[] = [];
    let before: string | undefined;
    do {
      const page = await third.transcript({ limit: 2, ...optional({ before }) });
      pages.unshift(...page.items.map(({ id }) => id));
      before = page.before;
    } while (before !== undefined);
    expect(pages).toEqual(whole.items.map(({ id }) => id));
  });

  test('[C119] of a fork of forks is the same after a restart', async () => {
    const { rondo, store } = await setUp();
    const session = await rondo.sessions.create();
    await session.chat('call look\nsay one');
    const second = await session.fork();
    await second.chat('say two');
    const third = await second.fork();
    store.crash();

    const later = await setUp(store.another());
    await (await later.rondo.sessions.open(third.id)).chat('say three');
    expect(later.messages().map(({ role, text }) => `${role} ${previewOf(text)}`)).toEqual([
      'user call look\nsay one',
      'assistant ',
      'tool seen',
      'assistant one',
      'user say two',
      'assistant two',
      'user say three',
    ]);
  });

  test('[C119] is made of a session that is closed, and in the middle of a turn at its last rest', async () => {
    const { rondo, messages } = await setUp();
    const session = await rondo.sessions.create();
    await session.chat('say one');
    await session.send({ type: 'chat', text: 'hang' });
    const fork = await session.fork();
    expect(await fork.chat('say two')).toMatchObject({ outcome: 'completed' });
    expect(messages().map(({ text }) => text)).toEqual(['say one', 'one', 'say two']);
    await session.terminate();
    expect(await (await session.fork()).chat('say three')).toMatchObject({ outcome: 'completed' });
  });

  test('[C119] takes no prompt that waits: a prompt joins the conversation when its turn starts', async () => {
    const { rondo, messages } = await setUp();
    const session = await rondo.sessions.create();
    await session.chat('say one');
    const prompt = await session.send({ type: 'chat', text: 'hang' });
    const fork = await session.fork({ at: prompt.type === 'accepted' ? prompt.seq : 0 });
    expect((await fork.status()).queue.prompts).toEqual([]);
    await fork.chat('say two');
    expect(messages().map(({ text }) => text)).toEqual(['say one', 'one', 'say two']);
  });

  test('[C119] behind a compaction continues with the summary', async () => {
    const { rondo, messages } = await setUp();
    const session = await rondo.sessions.create();
    await session.chat('say one');
    await session.chat('say two');
    await session.compact();
    const fork = await session.fork();
    await fork.chat('say three');
    expect(messages().map(({ role }) => role)).toEqual(['notice', 'user', 'assistant', 'user']);
    await fork.compact();
    await fork.chat('say four');
    expect(messages().map(({ text }) => text)).toEqual([
      expect.stringContaining('- The user asked: say two') as string,
      'say three',
      'three',
      'say four',
    ]);
  });

  test('[C119] of a missing session is refused', async () => {
    const { rondo } = await setUp();
    await expect(rondo.sessions.fork('ses_none')).rejects.toThrow('Unknown session ses_none');
    const session = await rondo.sessions.create();
    await session.chat('say one');
    await expect(session.fork({ at: 0 })).rejects.toThrow('it has no event 0');
  });
});

/** A store that runs `between` right before the append that creates a fork, or before a removal. */
function interrupting(store: MemoryStore, at: 'fork' | 'removal', between: () => Promise<unknown>): Store {
  return {
    ...store,
    journal: {
      ...store.journal,
      async append(request) {
        if (at === 'fork' && request.refersTo !== undefined) await between();
        return store.journal.append(request);
      },
    },
    upkeep: {
      ...store.upkeep,
      async remove(...given) {
        if (at === 'removal') await between();
        return store.upkeep.remove(...given);
      },
    },
  };
}

test('[O11] a fork whose origin is removed before it is written is not made: there is nothing to continue', async () => {
  const store = createMemoryStore();
  const rondo = await rondoOfTest(testingAgent({ store }));
  const session = await rondo.sessions.create();
  await session.chat('say one');
  await session.close();
  const other = await rondoOfTest(
    testingAgent({ store: interrupting(store.another(), 'fork', () => rondo.sessions.delete(session.id)) }),
  );
  await expect(other.sessions.fork(session.id)).rejects.toThrow(session.id);
  expect((await store.journal.list({})).entries).toEqual([]);
});

test('[O11] a session that is forked while it is being removed stays, with the history that the fork continues', async () => {
  const store = createMemoryStore();
  const rondo = await rondoOfTest(testingAgent({ store: store.another() }));
  const session = await rondo.sessions.create();
  await session.chat('say one');
  await session.close();
  let forked: string | undefined;
  const remover = await rondoOfTest(
    testingAgent({
      store: interrupting(store, 'removal', async () => {
        forked = (await rondo.sessions.fork(session.id)).id;
      }),
    }),
  );
  await expect(remover.sessions.delete(session.id)).rejects.toThrow('an input or a fork arrived');
  const fork = await rondo.sessions.open(forked ?? '');
  expect(texts(await fork.transcript())).toEqual([`${session.id}:5 one`]);
});
