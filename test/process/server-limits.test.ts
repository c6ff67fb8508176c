import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

import { expect, test } from 'vitest';
import { WebSocket } from 'ws';

import { ownerToken, start, startTestServer, until } from './server-setup.ts';

test('[C125] live sessions, queued prompts, followed sessions and requests each have a limit and its own error', async () => {
  const { call, connect } = await start({
    rondo: { maxLiveSessions: 2, limits: { queuedPrompts: 1 } },
    server: { limits: { follows: 1 } },
  });
  const [a, b, c] = [
    await call('POST', '/v1/sessions'),
    await call('POST', '/v1/sessions'),
    await call('POST', '/v1/sessions'),
  ];
  expect([a.status, b.status, c.status, c.body['code'], c.body['detail']]).toEqual([
    201,
    201,
    429,
    'LIMIT_REACHED',
    'The server is at its limit, or the resource is in use. Retry later.',
  ]);
  const [first, second] = [String(a.body['id']), String(b.body['id'])];
  const answers = [];
  for (const text of ['hang', 'say one', 'say two'])
    answers.push(await call('POST', `/v1/sessions/${first}/inputs`, { type: 'chat', text }));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
  expect(answers[2]?.body['detail']).toContain('holds its 1 prompts already');
  const socket = await connect();
  socket.send({ v: 1, type: 'session.follow', id: '1', session: first });
  socket.send({ v: 1, type: 'session.follow', id: '2', session: second });
  expect(await socket.next('error')).toMatchObject({ id: '2', code: 'LIMIT_REACHED' });
});

test('[C125] requests over the rate of a token are refused, and those of another token are not', async () => {
  const { call, token } = await start({ server: { requestsPerSecond: 3 } });
  const other = await token('viewer');
  const burst = await Promise.all(Array.from({ length: 60 }, () => call('GET', '/v1/me')));
  const refused = burst.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(20);
  expect(refused[0]?.body['code']).toBe('RATE_LIMITED');
  expect((await call('GET', '/v1/me', undefined, { token: other })).status).toBe(200);
});

test('[C125] connections beyond the limit are turned away; those that stand continue', async () => {
  const { connect, server } = await start({ server: { maxConnections: 2 } });
  const [one] = [await connect(), await connect()];
  const third = new WebSocket(`${server.url.replace('http', 'ws')}/ws`);
  const refused = await new Promise<IncomingMessage>((resolve) => {
    third.on('unexpected-response', (_request, response) => resolve(response));
  });
  expect([refused.statusCode, (await json(refused)) as object]).toEqual([
    429,
    expect.objectContaining({
      code: 'LIMIT_REACHED',
      detail: 'This server is at its limit of 2 connections. Close some, or retry later.',
    }),
  ]);
  one.send({ v: 1, type: 'ping', id: 'here' });
  expect(await one.next('pong')).toEqual({ v: 1, type: 'pong', id: 'here' });
});

test('[C125] while memory is short the server refuses new sessions, and existing ones continue', async () => {
  const { call } = await start({ server: { maxMemory: 1 } });
  const refused = await call('POST', '/v1/sessions');
  expect([refused.status, refused.body['code'], refused.body['detail']]).toEqual([
    429,
    'LIMIT_REACHED',
    expect.stringMatching(/^This server uses [\d.]+ MB of its memory limit of 1 B\. End finished sessions/),
  ]);
  expect((await call('GET', '/v1/sessions')).status).toBe(200);
});

test('a token that is revoked loses its connection', async () => {
  const { call, connect } = await start({ server: { limits: { pingMs: 50 } } });
  const { body } = await call('POST', '/v1/tokens', { name: 'phone', role: 'prompter' });
  const socket = await connect({ token: String(body['token']) });
  await call('DELETE', `/v1/tokens/${String(body['id'])}`);
  expect([(await socket.next('error')).code, (await socket.closed)[0]]).toEqual(['UNAUTHORIZED', 1008]);
});

test('a token that is revoked loses its stream of events', async () => {
  const { call, server } = await start({ server: { limits: { pingMs: 50 } } });
  const session = String((await call('POST', '/v1/sessions', {})).body['id']);
  const { body } = await call('POST', '/v1/tokens', { name: 'phone', role: 'viewer' });
  const stream = await fetch(`${server.url}/api/v1/sessions/${session}/events?after=0`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${String(body['token'])}` },
  });
  await call('DELETE', `/v1/tokens/${String(body['id'])}`);
  expect(await stream.text()).toMatch(/\nevent: error\ndata: \{"code":"UNAUTHORIZED",.* revoked\."\}\n\n$/);
});

test('[C85] a connection outlives a store of tokens that fails, and is closed once the token is found revoked', async () => {
  let value: unknown;
  let isBroken = false;
  const file = {
    read: () => (isBroken ? Promise.reject(new Error('the store is away')) : Promise.resolve(value)),
    update(change: (value: unknown) => unknown) {
      value = change(value);
      return Promise.resolve();
    },
  };
  const { call, connect, logged } = await start({
    server: { limits: { pingMs: 20 }, tokens: { file, owner: ownerToken } },
  });
  const { body } = await call('POST', '/v1/tokens', { name: 'phone', role: 'prompter' });
  const socket = await connect({ token: String(body['token']) });
  isBroken = true;
  await until(() =>
    logged.some((line) => line.includes("can't check the token") && line.includes('store is away')),
  );
  socket.send({ v: 1, type: 'ping', id: 'here' });
  expect(await socket.next('pong')).toEqual({ v: 1, type: 'pong', id: 'here' });
  isBroken = false;
  await call('DELETE', `/v1/tokens/${String(body['id'])}`);
  expect((await socket.closed)[0]).toBe(1008);
});

test('[C85] one session that fails takes nobody else down', async () => {
  const { call, connect } = await start();
  const socket = await connect();
  const [bad, good] = [await call('POST', '/v1/sessions'), await call('POST', '/v1/sessions')].map(({ body }) =>
    String(body['id']),
  );
  for (const session of [bad, good]) socket.send({ v: 1, type: 'session.follow', session, after: 0 });
  await call('POST', `/v1/sessions/${bad}/inputs`, { type: 'chat', text: 'fail badly' });
  await call('POST', `/v1/sessions/${good}/inputs`, { type: 'chat', text: 'say well' });
  await until(() => socket.received.some((message) => message.type === 'progress' && message.text === 'well'));
  expect(socket.received.some((message) => message.type === 'error' && message.session === bad)).toBe(true);
});

test('[C125] a server closes although a client is still being identified', async () => {
  const asked = Promise.withResolvers<void>();
  let isSlow = false;
  const file = {
    read() {
      if (!isSlow) return Promise.resolve(undefined);
      asked.resolve();
      return new Promise<never>(() => {});
    },
    update: () => Promise.resolve(),
  };
  const { server } = await startTestServer({ server: { tokens: { file, owner: 'rondo_owner' } } });
  isSlow = true;
  const client = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, {
    headers: { authorization: 'Bearer rondo_somebody' },
  });
  const dropped = new Promise<Error>((resolve) => client.once('error', resolve));
  await asked.promise;
  await server.close();
  expect((await dropped).message).toBe('socket hang up');
});
