// The contract of `rondo/client`, against real servers that start and stop.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { connect } from 'node:net';

import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';

import { createClient, type Client, type ConnectionState, type SessionUpdate } from '../../src/client/client.ts';
import { createMemoryStore } from '../../src/journal/memory-store.ts';
import type { Model } from '../../src/ports/model.ts';
import { completedReply } from '../../src/testing/completed-reply.ts';
import { kept, ownerToken, start, startTestServer, until } from './server-setup.ts';

function clientFor(
  url: string,
  states: ConnectionState[] = [],
  options: Partial<Parameters<typeof createClient>[0]> = {},
): Client {
  return kept(
    createClient({
      url,
      token: ownerToken,
      name: 'test',
      firstRetryMs: 20,
      mostRetryMs: 100,
      onConnection: (state) => states.push(state),
      ...options,
    }),
  );
}

/** The transcript as a client shows it: events by name, text as it grew. */
function recorder() {
  const events: string[] = [];
  const texts = new Map<string, string>();
  const states: string[] = [];
  const problems: string[] = [];
  return {
    events,
    texts,
    states,
    problems,
    update(update: SessionUpdate) {
      if (update.type === 'event') events.push(`${update.seq} ${update.event.type}`);
      else if (update.type === 'snapshot') events.push(`snapshot ${update.seq}`);
      else if (update.type === 'gap') events.push(`gap ${update.from}-${update.to}`);
      else {
        const key = `${update.effect}#${update.attempt}`;
        const had = texts.get(key) ?? '';
        if (update.offset !== had.length) problems.push(`text of ${key} at ${update.offset}, had ${had.length}`);
        texts.set(key, had + update.text);
      }
    },
    state: (state: string) => void states.push(state),
    problem: ({ code }: { code: string }) => void problems.push(code),
  };
}

test('a client creates, prompts, answers and follows', async () => {
  const { server } = await start();
  const client = clientFor(server.url);
  const { session } = await client.create({ title: 'typed' });
  const seen = recorder();
  const following = client.follow(session, seen, { after: 0 });
  await client.send(session, { type: 'chat', text: 'call touch {}\nsay Well done' });
  await until(() => seen.events.some((word) => word.endsWith('question-opened')));
  const questions: string[] = [];
  const other = clientFor(server.url);
  other.follow(session, {
    update: (update) => {
      if (update.type === 'snapshot') questions.push(...update.view.status.questions.map(({ id }) => id));
    },
  });
  await until(() => questions.length === 1);
  await other.answer(questions[0] ?? '', { choice: 'allow-once' });
  await expect(client.answer(questions[0] ?? '', { choice: 'reject' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  await until(() => seen.events.some((word) => word.endsWith('turn-ended')));
  expect([...seen.texts.values()]).toEqual(['Well done']);
  expect([following.state, following.seq, seen.problems]).toEqual(['current', seen.events.length, []]);
  await client.stop(session, 'enough');
  await expect(client.send(session, { type: 'chat', text: 'more' })).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('[P1] a request stops waiting when its signal aborts, and counts once if its key is sent again', async () => {
  const { server, rondo } = await start({ server: behindProxy });
  const proxy = kept(await startProxy(server.port));
  const client = clientFor(proxy.url);
  const { session } = await client.create();
  const input = { type: 'chat', text: 'say Once' } as const;
  const waiting = new AbortController();
  const reason = new Error('Waited long enough.');
  proxy.freeze();
  const sent = client.send(session, input, { key: 'k1', signal: waiting.signal });
  const states: ConnectionState[] = [];
  const alone = clientFor('http://127.0.0.1:9', states).create({}, { signal: AbortSignal.timeout(300) });
  waiting.abort(reason);
  await expect(sent).rejects.toBe(reason);
  await expect(client.send(session, input, { signal: waiting.signal })).rejects.toBe(reason);
  await expect(alone).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(states.some(({ type }) => type === 'waiting')).toBe(true);
  proxy.thaw();
  await client.send(session, input, { key: 'k1' });
  const { events } = await (await rondo.sessions.open(session)).events({ after: 0 });
  expect(events.filter(({ event }) => event.type === 'prompt-received')).toHaveLength(1);
});

test('a client without access is refused once, permanently', async () => {
  const { server } = await start();
  const states: ConnectionState[] = [];
  const client = clientFor(server.url, states, { token: 'wrong' });
  await until(() => client.connection.type === 'closed');
  expect(client.connection).toEqual({
    type: 'closed',
    code: 'UNAUTHORIZED',
    why: 'The token is invalid, expired or revoked.',
  });
  await expect(client.create()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('[P5] [C94] cut off at every point, a client ends with exactly what the journal holds', async () => {
  const { server, rondo } = kept(
    await startTestServer({ rondo: { models: { testing: slowWords() } }, server: behindProxy }),
  );
  const proxy = kept(await startProxy(server.port));
  const client = clientFor(proxy.url);
  const { session } = await client.create();
  const seen = recorder();
  client.follow(session, seen, { after: 0 });
  const sent: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const sending = client.send(session, { type: 'chat', text: `turn ${turn}` });
    for (let cut = 0; cut < 4; cut += 1) {
      await new Promise((resolve) => setTimeout(resolve, 3 + ((turn * 7 + cut * 5) % 11)));
      proxy.cut();
    }
    sent.push((await sending).seq);
  }
  const handle = await rondo.sessions.open(session);
  await until(async () => (await handle.status()).lifecycle === 'idle');
  const { events, last } = await handle.events({ after: 0 });
  await until(() => seen.events.length >= last);
  expect(seen.events).toEqual(events.map((recorded) => `${recorded.seq} ${recorded.event.type}`));
  expect(events.filter(({ event }) => event.type === 'prompt-received').map(({ seq }) => seq)).toEqual(sent);
  expect(seen.problems).toEqual([]);
});

test('[P1] [P5] after a server dies in mid-sentence and restarts, the sentence arrives once', async () => {
  const store = createMemoryStore();
  const words = gated(['Once ', 'upon ', 'a ', 'time']);
  const first = await startTestServer({ rondo: { store: withoutEnd(store), models: { testing: words.model } } });
  const port = first.server.port;
  const states: ConnectionState[] = [];
  const client = clientFor(first.server.url, states);
  const { session } = await client.create();
  const seen = recorder();
  const following = client.follow(session, seen, { after: 0 });
  await client.send(session, { type: 'chat', text: 'a tale' }, { key: 'tale' });
  words.say(2);
  await until(() => [...seen.texts.values()].includes('Once upon '));
  await first[Symbol.asyncDispose]();
  await until(() => following.state === 'stale');
  // Sent while no server runs: it waits, and counts once.
  const waiting = client.send(session, { type: 'chat', text: 'another' }, { key: 'another' });
  const second = kept(
    await startTestServer({
      rondo: { store: withoutEnd(store), models: { testing: words.model } },
      server: { port },
    }),
  );
  await second.rondo.adopt();
  await waiting;
  await until(() => [...seen.texts].some(([key, text]) => key.endsWith('#2') && text === 'Once upon '));
  words.say(4);
  const handle = await second.rondo.sessions.open(session);
  await until(async () => (await handle.status()).lifecycle === 'idle');
  const { events } = await handle.events({ after: 0 });
  await until(() => seen.events.length >= events.length);
  expect(seen.events).toEqual(events.map((recorded) => `${recorded.seq} ${recorded.event.type}`));
  expect(events.filter(({ event }) => event.type === 'prompt-received')).toHaveLength(2);
  const [effect] = [...seen.texts.keys()][0]?.split('#') ?? [];
  expect(seen.texts.get(`${effect}#2`)).toBe('Once upon a time');
  expect(seen.problems).toEqual([]);
  expect(new Set(states.map(({ type }) => type))).toEqual(new Set(['connecting', 'open', 'waiting']));
});

test('a socket that looks open and says nothing is noticed and replaced', async () => {
  const { server } = await start({ server: behindProxy });
  const proxy = kept(await startProxy(server.port));
  const states: ConnectionState[] = [];
  const client = clientFor(proxy.url, states, { quietMs: 60, patienceMs: 60 });
  await until(() => client.connection.type === 'open');
  proxy.freeze();
  await until(() => states.some((state) => state.type === 'waiting' && state.why === 'the server went silent'));
  proxy.thaw();
  await until(() => client.connection.type === 'open');
  expect(states.map(({ type }) => type)).toEqual(expect.arrayContaining(['connecting', 'open', 'waiting']));
});

test.each(['hello', 'null', '{}'])(
  'a program that answers with %s is left for the next address',
  async (answer) => {
    const { server } = await start();
    const other = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    kept({
      [Symbol.asyncDispose]: async () => {
        other.close();
        await once(other, 'close');
      },
    });
    await once(other, 'listening');
    other.on('connection', (socket) => socket.send(answer));
    const states: ConnectionState[] = [];
    const { port } = other.address() as AddressInfo;
    const client = clientFor('', states, { url: [`http://127.0.0.1:${port}`, server.url] });
    await until(() => client.connection.type === 'open');
    expect(states).toContainEqual(expect.objectContaining({ why: 'the server sent no message of Rondo' }));
  },
);

test('inputs sent faster than the server reads still arrive', async () => {
  const { server, rondo } = await start();
  const client = clientFor(server.url);
  const { session } = await client.create();
  await Promise.all(
    Array.from({ length: 80 }, (_, index) => client.send(session, { type: 'chat', text: `say ${index}` })),
  );
  const { events } = await (await rondo.sessions.open(session)).events({ after: 0 });
  expect(events.filter(({ event }) => event.type === 'prompt-received')).toHaveLength(80);
});

test('follows sent faster than the server reads still work', async () => {
  const { server, rondo } = kept(await startTestServer());
  const client = clientFor(server.url);
  const sessions = await Promise.all(Array.from({ length: 80 }, () => rondo.sessions.create()));
  await Promise.all(sessions.map((session) => session.persist()));
  await until(() => client.connection.type === 'open');
  const seen = new Set<string>();
  const problems: unknown[] = [];
  for (const { id } of sessions) {
    client.follow(
      id,
      { update: () => void seen.add(id), problem: (problem) => problems.push(problem) },
      { after: 0 },
    );
  }
  await until(() => seen.size === 80);
  expect(problems).toEqual([]);
});

/** Reached through a port other than its own. */
const behindProxy = { allowedHosts: ['127.0.0.1'] };

function slowWords(): Model {
  return {
    name: 'testing',
    async call(_request, sink) {
      const words = Array.from({ length: 12 }, (_, index) => `word${index} `);
      for (const word of words) {
        sink.text(word);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return completedReply(words.join(''));
    },
  };
}

/** Streams as many words as allowed, in each call. */
function gated(words: readonly string[]) {
  let allowed = 0;
  const model: Model = {
    name: 'testing',
    async call(_request, sink, signal) {
      for (const [index, word] of words.entries()) {
        await until(() => allowed > index || signal.aborted);
        if (signal.aborted) return { type: 'cancelled' };
        sink.text(word);
      }
      return completedReply(words.join(''));
    },
  };
  return { model, say: (count: number) => (allowed = count) };
}

/** A store that survives being closed. */
function withoutEnd(store: ReturnType<typeof createMemoryStore>) {
  return { ...store, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** A proxy between client and server that fails like a network. */
async function startProxy(port: number) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isFrozen = false;
  const server: TcpServer = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    near.on('data', (chunk) => void (isFrozen || far.write(chunk)));
    far.on('data', (chunk) => void (isFrozen || near.write(chunk)));
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => undefined);
      one.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  const cut = () => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    freeze: () => (isFrozen = true),
    thaw: () => (isFrozen = false),
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('[C95] a client keeps the open questions of all sessions current', async () => {
  const { server, rondo } = await start();
  const client = clientFor(server.url);
  let open: readonly string[] | undefined;
  client.followQuestions((questions) => (open = questions.map(({ id }) => id)));
  await until(() => open !== undefined);
  expect(open).toEqual([]);
  const { session } = await client.create();
  await client.send(session, { type: 'chat', text: 'call touch {"n":1}\ncall touch {"n":2}' });
  await until(() => open?.length === 2);
  const ids = (await rondo.questions()).map(({ id }) => id);
  expect(open).toEqual(ids);
  const [first = '', second] = ids;
  await client.answer(first, { choice: 'reject' });
  await until(() => open?.length === 1);
  expect(open).toEqual([second]);
});
