import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import http from 'node:http';

import { expect, test } from 'vitest';
import { z } from 'zod';

import { optional } from '../../src/kernel/optional.ts';
import { signedText } from '../../src/protocol/device-login.ts';
import { inputType } from '../../src/session/input-type.ts';
import { codeOf, idOf, start, startTestServer, type TestServer, until } from './server-setup.ts';

async function idle({ call }: TestServer, id: string): Promise<void> {
  await until(async () => (await call('GET', `/v1/sessions/${id}`)).body['phase'] === 'idle');
}

test('[C95] a session is created, prompted, read page by page and ended over HTTP', async () => {
  const server = await start();
  const { call } = server;
  const made = await call('POST', '/v1/sessions', { agent: 'testing', title: 'A first one' });
  const id = idOf(made);
  expect([made.status, made.body['phase'], made.body['agent'], made.body['hosted']]).toEqual([
    201,
    'idle',
    'testing',
    'active',
  ]);
  const sent = await call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text: 'say Hello there' });
  expect([sent.status, sent.body]).toEqual([202, { seq: 2 }]);
  await idle(server, id);
  const { body: page } = await call('GET', `/v1/sessions/${id}/events?after=1&limit=2`);
  const events = page['events'] as readonly Record<string, unknown>[];
  expect(events.map(({ seq, type, by }) => [seq, type, by])).toEqual([
    [2, 'prompt-received', { type: 'person', name: 'owner' }],
    [3, 'turn-started', { type: 'person', name: 'owner' }],
    [4, 'model-call-intended', { type: 'person', name: 'owner' }],
  ]);
  const { body: transcript } = await call('GET', `/v1/sessions/${id}/transcript?limit=2`);
  expect(transcript['items']).toMatchObject([{ type: 'message', text: 'Hello there' }, { type: 'ending' }]);
  const { body: earlier } = await call(
    'GET',
    `/v1/sessions/${id}/transcript?before=${String(transcript['before'])}`,
  );
  expect(earlier['items']).toMatchObject([{ type: 'prompt' }]);
  const { body: list } = await call('GET', '/v1/sessions?agent=testing&limit=5');
  expect(list['entries']).toMatchObject([{ session: id, title: 'A first one', state: 'idle', turns: 1 }]);
  expect((await call('DELETE', `/v1/sessions/${id}`)).status).toBe(202);
  expect((await call('DELETE', `/v1/sessions/${id}`)).status).toBe(202);
  expect((await call('GET', `/v1/sessions/${id}`)).body['hosted']).toBe('cleaned');
  expect(codeOf(await call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text: 'on' }))).toBe(
    '409 CONFLICT',
  );
});

test('the same key gives the same answer and no second input', async () => {
  const { call } = await start();
  const headers = { 'idempotency-key': 'create-1' };
  const [a, b] = await Promise.all([
    call('POST', '/v1/sessions', { title: 'once' }, { headers }),
    call('POST', '/v1/sessions', { title: 'once' }, { headers }),
  ]);
  expect(idOf(a)).toBe(idOf(b));
  expect(codeOf(await call('POST', '/v1/sessions', { title: 'twice' }, { headers }))).toBe('409 CONFLICT');
  const path = `/v1/sessions/${idOf(a)}/inputs`;
  const key = { headers: { 'idempotency-key': 'prompt-1' } };
  const first = await call('POST', path, { type: 'chat', text: 'say A' }, key);
  expect((await call('POST', path, { type: 'chat', text: 'say A' }, key)).body).toEqual(first.body);
  expect(codeOf(await call('POST', path, { type: 'chat', text: 'say B' }, key))).toBe('409 CONFLICT');
});

test('[P3] the first answer wins; the second learns who was first', async () => {
  const { call, token } = await start();
  const id = idOf(await call('POST', '/v1/sessions'));
  await call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text: 'call touch {}\nsay done' });
  await until(async () => ((await call('GET', '/v1/questions')).body['questions'] as unknown[]).length === 1);
  const { body } = await call('GET', `/v1/sessions/${id}/questions`);
  const [question] = body['questions'] as readonly { readonly id: string }[];
  const [anna, bob] = [await token('approver', 'anna'), await token('approver', 'bob')];
  const path = `/v1/questions/${question?.id}/answer`;
  expect(codeOf(await call('POST', path, { choice: 'allow-always' }, { token: anna }))).toBe('403 FORBIDDEN');
  expect((await call('POST', path, { choice: 'allow-once' }, { token: anna })).status).toBe(200);
  const second = await call('POST', path, { choice: 'reject' }, { token: bob });
  expect([codeOf(second), second.body['detail']]).toEqual([
    '409 CONFLICT',
    `question ${question?.id} was answered "allow-once" by anna already`,
  ]);
  expect(codeOf(await call('POST', '/v1/questions/q_0000000000001/answer', { choice: 'reject' }))).toBe(
    '404 QUESTION_NOT_FOUND',
  );
});

test('roles: each may do what those before it may, and no more', async () => {
  const { call, token } = await start();
  const id = idOf(await call('POST', '/v1/sessions'));
  const tries: readonly (readonly [string, string, unknown])[] = [
    ['GET', `/v1/sessions/${id}`, undefined],
    ['POST', `/v1/sessions/${id}/inputs`, { type: 'interrupt' }],
    ['POST', `/v1/sessions/${id}/inputs`, { type: 'mode', mode: 'batch' }],
    ['POST', `/v1/sessions/${id}/inputs`, { type: 'limits', limits: { steps: 1 } }],
    ['GET', '/v1/tokens', undefined],
    ['POST', '/v1/sessions', { cwd: '/' }],
  ];
  const found = await Promise.all(
    ['viewer', 'prompter', 'approver', 'owner'].map(async (role) => {
      const secret = await token(role);
      const statuses: number[] = [];
      for (const [method, path, body] of tries)
        statuses.push((await call(method, path, body, { token: secret })).status);
      return [role, statuses] as const;
    }),
  );
  expect(Object.fromEntries(found)).toEqual({
    viewer: [200, 403, 403, 403, 403, 403],
    prompter: [200, 202, 403, 403, 403, 422],
    approver: [200, 202, 202, 403, 403, 422],
    owner: [200, 202, 202, 202, 200, 201],
  });
});

test('tokens are issued, listed without their secret, and out as soon as they are revoked', async () => {
  const { call } = await start();
  const { body } = await call('POST', '/v1/tokens', { name: 'ci', role: 'viewer' });
  const secret = String(body['token']);
  expect((await call('GET', '/v1/me', undefined, { token: secret })).body).toEqual({ name: 'ci', role: 'viewer' });
  const listed = await call('GET', '/v1/tokens');
  expect(JSON.stringify(listed.body)).not.toContain(secret);
  expect(listed.body['tokens']).toMatchObject([{ name: 'ci', role: 'viewer', kind: 'token' }]);
  expect((await call('DELETE', `/v1/tokens/${String(body['id'])}`)).status).toBe(204);
  expect(codeOf(await call('GET', '/v1/me', undefined, { token: secret }))).toBe('401 UNAUTHORIZED');
});

test('[S12] a code registers a key once; a signed nonce gives a bearer; signing out ends both', async () => {
  const { call, server } = await start();
  const code = server.loginCode();
  const browser = newBrowser(server.url);
  const first = await call('POST', '/v1/login', { code, key: browser.key }, browser.headers);
  expect([first.status, first.body, first.headers.get('set-cookie')]).toEqual([
    200,
    { name: 'owner', role: 'owner', device: expect.stringMatching(/^dev_/) as string },
    null,
  ]);
  expect(codeOf(await call('POST', '/v1/login', { code, key: browser.key }, browser.headers))).toBe(
    '401 UNAUTHORIZED',
  );
  const device = String(first.body['device']);
  const signed = async (origin = server.url) => {
    const { body } = await call('POST', '/v1/login/nonce', {}, { token: null });
    const nonce = String(body['nonce']);
    return { device, nonce, signature: browser.sign(origin, nonce) };
  };
  const claim = await signed();
  const given = await call('POST', '/v1/login/bearer', claim, { token: null });
  expect([given.status, given.body]).toEqual([
    200,
    { bearer: expect.stringMatching(/^rondo_/) as string, lifeMs: 600_000, name: 'owner', role: 'owner' },
  ]);
  const token = String(given.body['bearer']);
  expect((await call('GET', '/v1/me', undefined, { token })).body).toEqual({ name: 'owner', role: 'owner' });
  const refused = [
    await call('POST', '/v1/login/bearer', claim, { token: null }),
    await call('POST', '/v1/login/bearer', await signed('http://127.0.0.1:1'), { token: null }),
    await call(
      'POST',
      '/v1/login/bearer',
      { ...(await signed()), nonce: `${Date.now()}.made.up` },
      { token: null },
    ),
    await call(
      'POST',
      '/v1/login/bearer',
      { ...(await signed()), device: 'dev_0000000000000000' },
      { token: null },
    ),
  ];
  expect(refused.map(codeOf)).toEqual(refused.map(() => '401 UNAUTHORIZED'));
  expect((await call('POST', '/v1/logout', undefined, { token })).status).toBe(200);
  expect((await call('GET', '/v1/me', undefined, { token })).status).toBe(401);
  expect(codeOf(await call('POST', '/v1/login/bearer', await signed(), { token: null }))).toBe('401 UNAUTHORIZED');
});

test('[S12] a key that was registered at another port gets nothing, even with its signature', async () => {
  const one = await start();
  const browser = newBrowser('http://127.0.0.1:1');
  const code = one.server.loginCode();
  // A server on another port has its own page sign, and replays the signature here under any name.
  const foreign = await one.call('POST', '/v1/login', { code, key: browser.key }, browser.headers);
  expect(foreign.status).toBe(403);
  const own = newBrowser(one.server.url);
  const made = await one.call('POST', '/v1/login', { code, key: own.key }, own.headers);
  const { body } = await one.call('POST', '/v1/login/nonce', {}, { token: null });
  const nonce = String(body['nonce']);
  const device = String(made.body['device']);
  const relayed = { device, nonce, signature: own.sign('http://127.0.0.1:1', nonce) };
  expect(codeOf(await one.call('POST', '/v1/login/bearer', relayed, { token: null }))).toBe('401 UNAUTHORIZED');
});

test('[S12] no cookie authorizes, and a page without a key gets a bearer that only it holds', async () => {
  const { call, server } = await start();
  const passing = await call('POST', '/v1/login', { code: server.loginCode() }, { token: null });
  expect([passing.status, passing.headers.get('set-cookie')]).toEqual([200, null]);
  const token = String(passing.body['bearer']);
  expect((await call('GET', '/v1/me', undefined, { token })).status).toBe(200);
  for (const cookie of [`rondo=${token}`, `token=${token}`]) {
    expect((await call('GET', '/v1/me', undefined, { token: null, headers: { cookie } })).status).toBe(401);
  }
});

/** A browser's key and the request it would send. */
function newBrowser(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  return {
    key: { kty, crv, x, y },
    headers: { token: null, headers: { origin } },
    sign: (at: string, nonce: string) =>
      sign('sha256', Buffer.from(signedText(at, nonce)), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
        'base64url',
      ),
  };
}

test('requests by another name, from another page or another site are turned away', async () => {
  const { server, call } = await start();
  const withHost = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      http
        .get(`${server.url}/api/v1/sessions`, { headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
        .on('error', reject);
    });
  expect([await withHost('evil.example'), await withHost(`localhost:${server.port}`)]).toEqual([403, 401]);
  const from = async (headers: Record<string, string>) =>
    codeOf(await call('POST', '/v1/sessions', {}, { headers }));
  expect([
    await from({ origin: 'http://evil.example' }),
    await from({ 'sec-fetch-site': 'cross-site' }),
    await from({ origin: server.url, 'sec-fetch-site': 'same-origin' }),
  ]).toEqual(['403 FORBIDDEN', '403 FORBIDDEN', '201 undefined']);
});

test('[C84] bodies that cannot be understood get a problem that says why', async () => {
  const { call } = await start();
  const id = idOf(await call('POST', '/v1/sessions'));
  const path = `/v1/sessions/${id}/inputs`;
  const detail = async (body: unknown, headers: Record<string, string> = {}) => {
    const answer = await call('POST', path, body, { headers });
    return `${codeOf(answer)}: ${String(answer.body['detail'])}`;
  };
  expect([
    await detail('{"type":'),
    await detail('{"type":"chat","text":"a","text":"b"}'),
    await detail({ type: 'chat' }),
    await detail({ type: 'shout', text: 'a' }),
    await detail('{"type":"interrupt"}', { 'content-type': 'text/plain' }),
    await detail({ type: 'chat', text: 'x'.repeat(11 * 1024 * 1024) }),
  ]).toEqual([
    "400 INVALID_MESSAGE: Can't parse the body: it is not JSON.",
    '400 INVALID_MESSAGE: Can\'t parse the body: the key "text" stands in it twice.',
    '400 INVALID_MESSAGE: Invalid body: text: Invalid input: expected string, received undefined.',
    expect.stringContaining('400 INVALID_MESSAGE: Invalid body: type: '),
    '400 INVALID_MESSAGE: The body must be JSON: `Content-Type: application/json`.',
    '413 MESSAGE_TOO_LARGE: The body exceeds the limit of 10485760 bytes; send less at a time.',
  ]);
  expect([
    codeOf(await call('GET', '/v1/sessions?limit=much')),
    codeOf(await call('GET', '/v1/sessions/ses_0nowhere')),
    codeOf(await call('GET', '/v1/nothing')),
    codeOf(await call('POST', '/v1/jobs', {})),
    codeOf(await call('POST', '/v1/sessions', { agent: 'nobody' })),
    codeOf(await call('GET', '/v1/sessions', undefined, { token: null })),
    codeOf(await call('GET', '/v1/sessions', undefined, { token: 'wrong' })),
  ]).toEqual([
    '400 INVALID_MESSAGE',
    '404 SESSION_NOT_FOUND',
    '404 NOT_FOUND',
    '400 INVALID_MESSAGE',
    '422 REFUSED',
    '401 UNAUTHORIZED',
    '401 UNAUTHORIZED',
  ]);
});

test('token guessing: it is slowed down, and a right token is not', async () => {
  const { call } = await start();
  for (let wrong = 0; wrong < 4; wrong += 1) await call('GET', '/v1/me', undefined, { token: 'wrong' });
  const from = performance.now();
  await call('GET', '/v1/me', undefined, { token: 'wrong' });
  const slow = performance.now() - from;
  const again = performance.now();
  await call('GET', '/v1/me');
  expect(slow).toBeGreaterThan(500);
  expect(performance.now() - again).toBeLessThan(slow);
});

test('[C94] server-sent events: resumed from Last-Event-ID, every event once, with its sequence as id', async () => {
  const server = await start();
  const { call } = server;
  const id = idOf(await call('POST', '/v1/sessions'));
  await call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text: 'say One two' });
  await idle(server, id);
  const first = await sseOf(server, id, { 'last-event-id': '2' }, 'turn-ended');
  expect(first.filter(({ id: seq }) => seq !== undefined).map(({ id: seq }) => seq)).toEqual(['3', '4', '5', '6']);
  const live = sseOf(server, id, {}, 'turn-ended');
  await until(
    async () => (await call('GET', '/metrics')).body['text']?.toString().includes('rondo_followers 1') === true,
  );
  await call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text: 'say Three four' });
  const seen = await live;
  const words = seen.map(({ event, id: seq }) => `${event} ${seq ?? '-'}`);
  // Text arrives in one piece or in several.
  expect(words.filter((word, index) => word !== 'progress -' || words[index - 1] !== word)).toEqual([
    'snapshot 6',
    'message 7',
    'message 8',
    'message 9',
    'progress -',
    'message 10',
    'message 11',
  ]);
  const texts = seen.flatMap(({ event, data }) =>
    event === 'progress' ? [JSON.parse(data) as { text: string }] : [],
  );
  expect(texts.map(({ text }) => text).join('')).toBe('Three four');
});

test('a page is served under a strict policy, and every answer carries it', async () => {
  const { call } = await start();
  const page = await call('GET', '/', undefined, { token: null });
  expect(page.body['text']).toContain("the web app isn't built");
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  expect((await call('GET', '/v1/nothing')).headers.get('x-content-type-options')).toBe('nosniff');
});

test('the interface describes itself, from the schemas that check it', async () => {
  const { call } = await start();
  const { body } = await call('GET', '/api/v1/openapi.json', undefined, { token: null });
  const paths = body['paths'] as Record<string, Record<string, { requestBody?: unknown; parameters: unknown[] }>>;
  expect(body['openapi']).toBe('3.1.0');
  expect(Object.keys(paths)).toContain('/sessions/{id}/inputs');
  expect(paths['/sessions/{id}/inputs']?.['post']?.parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 200 } },
  ]);
  expect(JSON.stringify(paths['/questions/{id}/answer']?.['post']?.requestBody)).toContain('allow-always');
});

test('liveness, readiness and figures', async () => {
  const { call, server } = await start();
  await call('POST', '/v1/sessions');
  expect((await call('GET', '/healthz', undefined, { token: null })).body).toEqual({ status: 'alive' });
  expect((await call('GET', '/readyz', undefined, { token: null })).status).toBe(200);
  expect((await call('GET', '/metrics', undefined, { token: null })).status).toBe(401);
  const { body } = await call('GET', '/metrics');
  const text = String(body['text']);
  expect(text).toContain('rondo_sessions{state="idle"} 1');
  // Each family has its explanation directly above its type.
  const named = (kind: string) =>
    [...text.matchAll(new RegExp(`^# ${kind} (\\S+) \\S`, 'gm'))].map(([, name]) => name);
  expect(named('HELP')).toEqual(named('TYPE'));
  expect(text.split('\n').filter((line) => line.startsWith('# ')).length).toBe(2 * named('TYPE').length);
  server.drain();
  expect((await call('GET', '/readyz', undefined, { token: null })).status).toBe(503);
});

test('[C26] nothing that was said, and no secret, is in the log', async () => {
  const server = await start();
  const { call, logged } = server;
  const id = idOf(await call('POST', '/v1/sessions'));
  await call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text: 'say hunter2' });
  await call('GET', '/v1/me', undefined, { token: 'hunter2' });
  await idle(server, id);
  expect(logged.join('\n')).not.toContain('hunter2');
});

test('the queue is listed, edited, put in another order and emptied', async () => {
  const { call } = await start();
  const id = idOf(await call('POST', '/v1/sessions'));
  for (const text of ['hang', 'say one', 'say two'])
    await call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text });
  const queue = async () => {
    const { body } = await call('GET', `/v1/sessions/${id}/queue`);
    return (body['prompts'] as readonly { prompt: number; preview: string }[]).map(({ preview }) => preview);
  };
  const { body } = await call('GET', `/v1/sessions/${id}/queue`);
  const [one] = body['prompts'] as readonly { prompt: number }[];
  expect((await call('PUT', `/v1/sessions/${id}/queue/${one?.prompt}`, { text: 'say uno' })).status).toBe(202);
  await call('PUT', `/v1/sessions/${id}/queue/${one?.prompt}`, { to: 1 });
  expect(await queue()).toEqual(['say two', 'say uno']);
  await call('DELETE', `/v1/sessions/${id}/queue/${one?.prompt}`);
  expect(await queue()).toEqual(['say two']);
  await call('DELETE', `/v1/sessions/${id}/queue`);
  expect(await queue()).toEqual([]);
  expect(codeOf(await call('DELETE', `/v1/sessions/${id}/queue/99`))).toBe('404 NOT_FOUND');
});

interface SseMessage {
  readonly event: string;
  readonly id?: string;
  readonly data: string;
}

async function sseOf(
  { server }: TestServer,
  session: string,
  headers: Record<string, string>,
  last: string,
): Promise<readonly SseMessage[]> {
  const answer = await fetch(`${server.url}/api/v1/sessions/${session}/events`, {
    headers: { accept: 'text/event-stream', authorization: 'Bearer rondo_owner-of-this-test', ...headers },
  });
  const messages: SseMessage[] = [];
  let rest = '';
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    rest += Buffer.from(chunk).toString('utf8');
    for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n');
      rest = rest.slice(end + 2);
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const id = field('id');
      messages.push({
        event: field('event') ?? 'message',
        data: field('data') ?? '',
        ...optional({ id }),
      });
      if (messages.at(-1)?.data.includes(`"type":"${last}"`) === true && id !== undefined) {
        return messages;
      }
    }
  }
  return messages;
}

test('a long text that the transcript only opens is read whole by its hash, and nothing else is', async () => {
  const { call } = await start();
  const long = 'word '.repeat(2000);
  const { body: made } = await call('POST', '/v1/sessions', { agent: 'testing' });
  const id = String(made['id']);
  await call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text: long });
  await until(async () => (await call('GET', `/v1/sessions/${id}`)).body['phase'] === 'idle');
  const { body: page } = await call('GET', `/v1/sessions/${id}/transcript`);
  const [prompt] = page['items'] as readonly { readonly asked: { readonly text: { readonly blob: string } } }[];
  const whole = await call('GET', `/v1/sessions/${id}/blobs/${prompt?.asked.text.blob}`);
  expect(whole.body).toEqual({ text: long });
  // As where the files of a session's clone are saved.
  const saved = `# v2 git bundle\n${'0'.repeat(40)} refs/rondo-place/saved\n${long}`;
  await call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text: saved });
  const bundle = createHash('sha256').update(saved).digest('hex');
  const second = async () => (await call('GET', `/v1/sessions/${id}/transcript`)).body['items'];
  await until(async () => JSON.stringify(await second()).includes(bundle));
  for (const hash of ['..%2F..%2Ftoken', 'abc', 'A'.repeat(64), bundle])
    expect([hash, (await call('GET', `/v1/sessions/${id}/blobs/${hash}`)).status]).toEqual([hash, 404]);
});

test('[S10] a rule for a tool that is not there is refused over HTTP with the nearest name', async () => {
  await using world = await startTestServer({ server: { catalog: { tools: async () => [{ name: 'look' }] } } });
  const made = await world.call('POST', '/v1/sessions', { agent: 'testing' });
  const id = String(made.body['id']);
  const policy = (tool: string, verdict: string) =>
    world.call('POST', `/v1/sessions/${id}/inputs`, { type: 'policy', rules: [{ verdict, tool, pattern: 'ls' }] });
  expect(await policy('bash', 'deny')).toMatchObject({
    status: 400,
    body: { code: 'INVALID_MESSAGE', detail: 'unknown tool "bash"; did you mean "shell"?' },
  });
  expect([(await policy('look', 'allow')).status, (await policy('shell', 'deny')).status]).toEqual([202, 202]);
});

test('[C150] over HTTP a line of mode repl runs as a tool call, and a custom input takes an owner', async () => {
  const note = inputType(z.object({ text: z.string() }), ({ text }) => ({ type: 'chat', text: `say ${text}` }));
  const server = await start({ rondo: { inputs: { note } } });
  const { call } = server;
  const id = idOf(await call('POST', '/v1/sessions', { agent: 'testing', mode: 'repl' }));
  const send = (input: object, token?: string) =>
    call('POST', `/v1/sessions/${id}/inputs`, input, token === undefined ? {} : { token });
  const said = async () => {
    await idle(server, id);
    const { body } = await call('GET', `/v1/sessions/${id}/transcript`);
    const items = body['items'] as readonly Record<string, unknown>[];
    return items.flatMap(({ type, text, tool }) => (type === 'message' ? [text] : type === 'call' ? [tool] : []));
  };
  expect((await send({ type: 'chat', text: 'look {}' })).status).toBe(202);
  expect(await said()).toEqual(['look']);
  expect((await send({ type: 'chat', text: 'say a prompt' })).status).toBe(202);
  expect(await said()).toEqual(['look', 'a prompt']);
  const custom = { type: 'custom', name: 'note', data: { text: 'noted' } };
  expect(codeOf(await send(custom, await server.token('prompter')))).toBe('403 FORBIDDEN');
  expect((await send(custom)).status).toBe(202);
  expect(await said()).toEqual(['look', 'a prompt', 'noted']);
  const wrong = await send({ ...custom, data: {} });
  expect([wrong.status, wrong.body['detail']]).toEqual([422, expect.stringContaining('text: ')]);
});
