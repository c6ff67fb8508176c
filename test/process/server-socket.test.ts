import { connect as connectTcp } from 'node:net';

import { expect, test } from 'vitest';

import type { ServerMessage } from '../../src/protocol/server-message.ts';
import type { Model } from '../../src/ports/model.ts';
import { completedReply } from '../../src/testing/completed-reply.ts';
import { createFakeClock } from '../../src/testing/fake-clock.ts';
import { steppedModel } from '../../src/testing/stepped-model.ts';
import { openSocket, ownerToken, start, type TestSocket, until } from './server-setup.ts';

async function create(socket: TestSocket, session: object = {}): Promise<string> {
  socket.send({ v: 1, type: 'session.create', id: `create-${Math.random()}`, session });
  return String((await socket.next('ok')).session);
}
const chat = (session: string, text: string, id = text) => ({
  v: 1,
  type: 'session.input',
  id,
  session,
  key: id,
  input: { type: 'chat', text },
});
const errorText = ({ code, recoverable }: Extract<ServerMessage, { type: 'error' }>) => `${code} ${recoverable}`;

/** A follower's updates, abbreviated. */
function words(socket: TestSocket, session: string): readonly string[] {
  return socket.received.flatMap((message) => {
    if (!('session' in message) || message.session !== session) return [];
    switch (message.type) {
      case 'event':
        return [`${message.seq} ${message.event.type}`];
      case 'progress':
        return [`@${message.offset} ${message.text}`];
      case 'snapshot':
        return [`snapshot ${message.seq}`];
      case 'gap':
        return [`gap ${message.from}-${message.to}`];
      default:
        return [];
    }
  });
}
async function turnEnds(socket: TestSocket): Promise<void> {
  for (;;) if ((await socket.next('event')).event.type === 'turn-ended') return;
}

test('[C84] hello is answered with welcome and the limits that hold', async () => {
  const { server } = await start();
  const socket = await openSocket(`${server.url.replace('http', 'ws')}/ws`);
  socket.send({ v: 1, type: 'hello', token: ownerToken, client: 'test' });
  expect(await socket.next('welcome')).toEqual({
    v: 1,
    type: 'welcome',
    server: { name: 'rondo', version: '0.0.0-test', instance: expect.stringMatching(/^[0-9a-f]{12}$/) },
    limits: { messageBytes: 1_048_576, messagesPerSecond: 50, pingMs: 30_000, silenceMs: 90_000 },
    role: 'owner',
    actor: 'owner',
  });
});

test('[C84] a bad message is answered with an error and the connection stays', async () => {
  const { connect } = await start();
  const socket = await connect();
  const bad: readonly (string | Buffer | object)[] = [
    '{"v":1,"type":',
    '{"type":"ping"}',
    '{"v":1}',
    '{}',
    '{"v":"1","type":"ping"}',
    '{"v":1,"type":7}',
    '{"v":1,"v":1,"type":"ping"}',
    '[{"v":1,"type":"ping"}]',
    '"ping"',
    '',
    { v: 1, type: 'session.follow', session: 7 },
    { v: 1, type: 'session.input', id: 'x', session: 'ses_1', key: 'k', input: { type: 'chat', text: 7 } },
    { v: 1, type: 'nothing' },
  ];
  for (const message of bad) socket.send(message);
  socket.ws.send(Buffer.from([0xff, 0xfe, 0xfd]), { binary: false });
  socket.ws.send(Buffer.from('{"v":1,"type":"ping"}'), { binary: true });
  socket.send(`{"v":1,"type":"ping","id":"${'x'.repeat(1_048_576)}"}`);
  socket.send({ v: 1, type: 'ping', id: 'still here' });
  expect(await socket.next('pong')).toEqual({ v: 1, type: 'pong', id: 'still here' });
  const errors = socket.received.filter((message) => message.type === 'error').map(errorText);
  expect(errors).toEqual([
    ...Array.from({ length: bad.length + 2 }, () => 'INVALID_MESSAGE true'),
    'MESSAGE_TOO_LARGE true',
  ]);
});

test('[C84] a wrong version, a wrong token, no token or no hello: an error, then the end', async () => {
  const { connect, token } = await start();
  const viewer = await token('viewer');
  const cases = await Promise.all(
    [
      { v: 2, type: 'hello', token: ownerToken },
      { v: 1, type: 'hello', token: 'wrong' },
      { v: 1, type: 'hello' },
      { v: 1, type: 'ping' },
    ].map(async (message) => {
      const socket = await connect({ hello: false });
      socket.send(message);
      return [errorText(await socket.next('error')), ...(await socket.closed)];
    }),
  );
  const watching = await connect({ token: viewer });
  watching.send(chat('ses_1', 'say no'));
  expect([...cases, [errorText(await watching.next('error')), ...(await watching.closed)]]).toEqual([
    ['VERSION_MISMATCH false', 1008, 'VERSION_MISMATCH'],
    ['UNAUTHORIZED false', 1008, 'UNAUTHORIZED'],
    ['UNAUTHORIZED false', 1008, 'UNAUTHORIZED'],
    ['UNAUTHORIZED false', 1008, 'UNAUTHORIZED'],
    ['FORBIDDEN false', 1008, 'FORBIDDEN'],
  ]);
});

test('[C84] without hello within ten seconds the connection ends', async () => {
  const clock = createFakeClock();
  const { connect } = await start({ server: { clock } });
  const socket = await connect({ hello: false });
  socket.send('not even JSON');
  await socket.next('error');
  await clock.advance(9_999);
  expect(socket.received).toHaveLength(1);
  await clock.advance(1);
  expect([errorText(await socket.next('error')), ...(await socket.closed)]).toEqual([
    'UNAUTHORIZED false',
    1008,
    'UNAUTHORIZED',
  ]);
});

test('[C86] the message that is one too many is refused; a second later all is well', async () => {
  const clock = createFakeClock();
  const { connect } = await start({ server: { clock } });
  const socket = await connect();
  await clock.advance(1000);
  for (let count = 1; count <= 51; count += 1) socket.send({ v: 1, type: 'ping', id: String(count) });
  expect(await socket.next('error')).toMatchObject({ id: '51', code: 'RATE_LIMITED', recoverable: true });
  expect(socket.received.filter(({ type }) => type === 'pong')).toHaveLength(50);
  await clock.advance(1000);
  socket.send({ v: 1, type: 'ping', id: 'later' });
  await until(() => socket.received.some((message) => message.type === 'pong' && message.id === 'later'));
});

test('[C86] a client is pinged every thirty seconds; one that is silent for ninety is let go', async () => {
  const clock = createFakeClock();
  const { connect, server } = await start({ server: { clock } });
  const socket = await connect();
  let pings = 0;
  socket.ws.on('ping', () => (pings += 1));
  for (const count of [1, 2, 3, 4]) {
    await clock.advance(30_000);
    await until(() => pings === count);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(socket.ws.readyState).toBe(socket.ws.OPEN);
  const silent = await rawSocket(server.port);
  await clock.advance(1);
  for (let round = 0; round < 4; round += 1) await clock.advance(30_000);
  await silent.closed;
});

test('[C85] each code that a client can provoke today', async () => {
  const { connect } = await start();
  const socket = await connect();
  const session = await create(socket);
  const codeFor = async (message: object) => {
    socket.send(message);
    return (await socket.next('error')).code;
  };
  const missing = 'ses_00000000nowhere';
  expect([
    await codeFor({ v: 1, type: 'session.follow', id: '1', session: missing }),
    await codeFor(chat(missing, 'say hi')),
    await codeFor({ v: 1, type: 'question.answer', id: '2', question: 'q_000000000001', answer: { text: 'a' } }),
    await codeFor({ v: 1, type: 'session.create', id: '3', session: { agent: 'nobody' } }),
    await codeFor({ ...chat(session, 'x'), input: { type: 'mode', mode: 'party' } }),
  ]).toEqual(['SESSION_NOT_FOUND', 'SESSION_NOT_FOUND', 'QUESTION_NOT_FOUND', 'REFUSED', 'REFUSED']);
  socket.send({ v: 1, type: 'session.follow', session });
  socket.send(chat(session, 'fail out of service'));
  expect(await socket.next('error')).toMatchObject({
    session,
    code: 'MODEL_UNAVAILABLE',
    message: 'out of service',
  });
  socket.send({ v: 1, type: 'session.stop', id: 'stop', session });
  await until(() => socket.received.some((message) => message.type === 'ok' && message.id === 'stop'));
  expect(await codeFor(chat(session, 'say more'))).toBe('CONFLICT');
});

test('[P5] a follower from a sequence gets every event once and the text in order', async () => {
  const { connect } = await start();
  const socket = await connect();
  const session = await create(socket);
  socket.send({ v: 1, type: 'session.follow', session, after: 0 });
  socket.send(chat(session, 'say One two three'));
  await turnEnds(socket);
  const all = words(socket, session).map((word) => (word.startsWith('@') ? 'text' : word));
  expect(all.filter((word, index) => word !== 'text' || all[index - 1] !== 'text')).toEqual([
    '1 session-created',
    '2 prompt-received',
    '3 turn-started',
    '4 model-call-intended',
    'text',
    '5 model-settled',
    '6 turn-ended',
  ]);
  expect(textHeard(socket)).toBe('One two three');
  const later = await connect();
  later.send({ v: 1, type: 'session.follow', session });
  expect((await later.next('snapshot')).view.transcript.items).toMatchObject([
    { type: 'prompt' },
    { type: 'message' },
    { type: 'ending' },
  ]);
});

/** In any number of pieces. */
function textHeard({ received }: TestSocket): string {
  const pieces = received.flatMap((message) => (message.type === 'progress' ? [message] : []));
  return pieces.reduce((said, piece) => said.slice(0, piece.offset) + piece.text, '');
}

test('[C94] [P5] a client that leaves and comes back at any point of a turn misses nothing and gets nothing twice', async () => {
  const whole = ['1 session-created', '2 prompt-received', '3 turn-started', '4 model-call-intended'];
  for (let leaveAfter = 0; leaveAfter <= 3; leaveAfter += 1) {
    const { model, say } = steppedModel(['Al', 'pha ', 'beta']);
    const { connect } = await start({
      rondo: { agents: { testing: { model: 'stepped' } }, models: { stepped: model } },
    });
    const first = await connect();
    const session = await create(first);
    first.send({ v: 1, type: 'session.follow', session, after: 0 });
    first.send(chat(session, 'go'));
    await until(() => words(first, session).includes('4 model-call-intended'));
    for (let index = 0; index < leaveAfter; index += 1) void say(index);
    await until(() => textHeard(first) === ['Al', 'pha ', 'beta'].slice(0, leaveAfter).join(''));
    const seq = first.received.reduce((last, message) => (message.type === 'event' ? message.seq : last), 0);
    first.ws.terminate();
    const second = await connect();
    second.send({ v: 1, type: 'session.follow', id: 'follow', session, after: seq });
    await second.next('ok');
    second.send({ v: 1, type: 'ping' });
    await second.next('pong');
    for (let index = leaveAfter; index < 3; index += 1) void say(index);
    if (seq < 6) await turnEnds(second);
    const events = [...words(first, session), ...words(second, session)].filter((word) => !word.startsWith('@'));
    expect(events).toEqual([...whole, '5 model-settled', '6 turn-ended']);
    const heard = textHeard(second);
    // If the text settled before it reconnected, the event holds it.
    expect(heard).toBe(leaveAfter < 3 || heard !== '' ? 'Alpha beta' : '');
  }
});

test('[C94] losing every client cancels no work', async () => {
  const { model, say } = steppedModel(['Still ', 'here']);
  const { connect, rondo } = await start({
    rondo: { agents: { testing: { model: 'stepped' } }, models: { stepped: model } },
  });
  const socket = await connect();
  const session = await create(socket);
  socket.send({ v: 1, type: 'session.follow', session, after: 0 });
  socket.send(chat(session, 'go'));
  await until(() => words(socket, session).includes('4 model-call-intended'));
  socket.ws.terminate();
  void say(0);
  void say(1);
  const reply = await (await rondo.sessions.open(session)).wait();
  expect([reply.outcome, reply.text]).toEqual(['completed', 'Still here']);
});

test('[P3] two approvers answer at once: one wins, and every follower learns who', async () => {
  const { connect, rondo, token } = await start();
  const sockets = await Promise.all(
    [token('approver', 'anna'), token('approver', 'bob')].map(async (one) => connect({ token: await one })),
  );
  const [anna, bob] = sockets;
  if (anna === undefined || bob === undefined) throw new Error('two sockets are wanted');
  const session = await create(anna);
  for (const socket of sockets) socket.send({ v: 1, type: 'session.follow', session, after: 0 });
  anna.send(chat(session, 'call touch {}\nsay done'));
  await until(() =>
    bob.received.some((message) => message.type === 'event' && message.event.type === 'question-opened'),
  );
  const status = await (await rondo.sessions.open(session)).status();
  const question = status.questions[0]?.id;
  for (const socket of sockets)
    socket.send({ v: 1, type: 'question.answer', id: 'mine', question, answer: { choice: 'allow-once' } });
  await Promise.all(sockets.map(turnEnds));
  const answers = sockets.map((socket) =>
    socket.received.flatMap((message) =>
      message.type === 'event' && message.event.type === 'question-answered' ? [message.by.name] : [],
    ),
  );
  const outcomes = sockets.map((socket) =>
    socket.received.find((message) => 'id' in message && message.id === 'mine'),
  );
  const winner = outcomes.findIndex((outcome) => outcome?.type === 'ok');
  const name = ['anna', 'bob'][winner];
  expect(answers).toEqual([[name], [name]]);
  expect(outcomes[1 - winner]).toMatchObject({
    type: 'error',
    code: 'CONFLICT',
    message: expect.stringContaining(`by ${name} already`),
  });
});

test('[C87] a session whose agent is slow delays no other', async () => {
  const { connect } = await start();
  const socket = await connect();
  const [slow, quick] = [await create(socket), await create(socket)];
  socket.send({ v: 1, type: 'session.follow', session: quick, after: 0 });
  socket.send(chat(slow, 'hang'));
  socket.send(chat(quick, 'say quick'));
  await turnEnds(socket);
  expect(words(socket, quick)).toContain('@0 quick');
});

test('[C97] [P5] a reader that does not read gets a gap and a snapshot; others notice nothing', async () => {
  // More than the system's buffers on both sides hold, about 4 MB and growing.
  const pieces = Array.from({ length: 16_000 }, (_, index) => `${index} ${'x'.repeat(1000)}\n`);
  const { connect, server, rondo } = await start({
    rondo: { agents: { testing: { model: 'm' } }, models: { m: talkative(pieces) } },
    server: { limits: { bufferedBytes: 64 * 1024 } },
  });
  const socket = await connect();
  const session = await create(socket);
  socket.send({ v: 1, type: 'session.follow', session, after: 0 });
  const slow = await rawSocket(server.port);
  slow.send({ v: 1, type: 'hello', token: ownerToken });
  slow.send({ v: 1, type: 'session.follow', session, after: 0 });
  await until(() => slow.text().includes('session-created'));
  slow.pause();
  socket.send(chat(session, 'go'));
  await (await rondo.sessions.open(session)).wait();
  await turnEnds(socket);
  const told = socket.received.flatMap((message) => (message.type === 'progress' ? [message.text] : []));
  expect(told.join('')).toBe(pieces.join(''));
  slow.resume();
  await until(() => slow.text().includes('"type":"snapshot"'));
  expect(slow.text()).toContain('"type":"gap"');
});

test('[C95] one socket has the directory: a page first, then every change', async () => {
  const { connect, rondo } = await start();
  const socket = await connect();
  const before = await create(socket, { title: 'before' });
  socket.send({ v: 1, type: 'directory.follow', id: 'd' });
  expect((await socket.next('directory')).entries).toMatchObject([
    { session: before, title: 'before', state: 'idle' },
  ]);
  const other = await rondo.sessions.create({ title: 'after' });
  await other.chat('call touch {}');
  await until(() =>
    socket.received.some(
      (message) =>
        message.type === 'directory' &&
        message.entries.some(({ session, state }) => session === other.id && state === 'waiting'),
    ),
  );
});

test('[C95] open questions are pushed: all of them first, then those of a session whenever they change', async () => {
  const { connect, rondo } = await start();
  const socket = await connect();
  const before = await create(socket);
  const later = await create(socket);
  socket.send(chat(before, 'call touch {}'));
  await until(async () => (await questionsOf(before)).length === 1);
  socket.send({ v: 1, type: 'questions.follow', id: 'q' });
  const page = await socket.next('questions');
  expect(page).toMatchObject({ kind: 'page', questions: [{ session: before, type: 'approval' }] });
  socket.send(chat(later, 'call touch {}'));
  const opened = await socket.next('questions');
  expect(opened).toMatchObject({
    kind: 'changed',
    session: later,
    questions: [{ session: later, about: { type: 'approval', tool: 'touch' } }],
  });
  const [first] = page.questions;
  socket.send({ v: 1, type: 'question.answer', id: 'a', question: first?.id, answer: { choice: 'reject' } });
  expect(await socket.next('questions')).toEqual({
    v: 1,
    type: 'questions',
    kind: 'changed',
    session: before,
    questions: [],
  });

  async function questionsOf(session: string): Promise<readonly unknown[]> {
    return await rondo.questions({ session: session as never });
  }
});

test('[S12] cross-site WebSocket: a page of another origin gets no connection, and no cookie takes the place of a token', async () => {
  const { server, call } = await start();
  const { body } = await call('POST', '/v1/login', { code: server.loginCode() }, { token: null });
  const token = String(body['bearer']);
  const url = `${server.url.replace('http', 'ws')}/ws`;
  const own = await openSocket(url, { origin: server.url });
  own.send({ v: 1, type: 'hello', token });
  expect(await own.next('welcome')).toMatchObject({ role: 'owner' });
  own.ws.terminate();
  const byCookie = await openSocket(url, { cookie: `rondo=${token}`, origin: server.url });
  byCookie.send({ v: 1, type: 'hello' });
  expect(await byCookie.next('error')).toMatchObject({ code: 'UNAUTHORIZED' });
  await expect(openSocket(url, { origin: 'http://evil.example' })).rejects.toThrow('403');
  await expect(openSocket(`${server.url.replace('http', 'ws')}/elsewhere`)).rejects.toThrow('404');
});

function talkative(pieces: readonly string[]): Model {
  return {
    name: 'm',
    async call(_request, sink) {
      for (const [index, piece] of pieces.entries()) {
        sink.text(piece);
        if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      return completedReply(pieces.join(''));
    },
  };
}

/** A client that doesn't answer pings and can stop reading. */
async function rawSocket(port: number) {
  const socket = connectTcp(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.write(
    `GET /ws HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await until(() => text.includes('\r\n\r\n'));
  return {
    closed,
    text: () => text,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    send(message: object) {
      const payload = Buffer.from(JSON.stringify(message));
      // Masked with zeros: as valid as any mask.
      const head =
        payload.length < 126
          ? [0x81, 0x80 | payload.length]
          : [0x81, 0xfe, payload.length >> 8, payload.length & 255];
      socket.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]));
    },
  };
}
