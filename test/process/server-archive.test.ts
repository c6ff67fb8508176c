// Sessions as files over HTTP: export, import, search.
import { expect, test } from 'vitest';

import { startTestServer } from './server-setup.ts';

const bundle = { 'content-type': 'application/vnd.rondo.bundle' };

test('[C120] a session is exported from one server and continues at another', async () => {
  await using one = await startTestServer();
  await using other = await startTestServer();
  const session = await one.rondo.sessions.create({ agent: 'testing', title: 'Moving house' });
  await session.chat('call touch {}\nsay done');
  const exported = await one.call('POST', `/v1/sessions/${session.id}/export`);
  expect([
    exported.status,
    exported.headers.get('content-type'),
    exported.headers.get('content-disposition'),
  ]).toEqual([200, bundle['content-type'], `attachment; filename="${session.id}.rondo"`]);
  const text = String(exported.body['text']);
  const imported = await other.call('POST', '/v1/sessions/import', text, { headers: bundle });
  expect({ status: imported.status, body: imported.body }).toEqual({
    status: 201,
    body: {
      sessions: [{ session: session.id, origin: session.id, role: 'main', seq: expect.any(Number) as number }],
      leftOut: [],
      redacted: 0,
    },
  });
  expect(await other.rondo.questions()).toEqual([]);
  const to = (place: string, body: unknown, more = {}) =>
    other.call('POST', `/v1/sessions/${session.id}${place}`, body, more);
  expect((await to('/inputs', { type: 'chat', text: 'say no' })).status).toBe(409);
  expect((await to('/continue', {}, { token: await other.token('viewer') })).status).toBe(403);
  expect((await to('/continue', { cwd: '/' }, { token: await other.token('prompter') })).status).toBe(422);
  expect((await to('/continue', { agent: 'testing' })).status).toBe(202);
  expect((await to('/continue', { agent: 'testing' })).status).toBe(422);
  const moved = await other.rondo.sessions.open(session.id);
  expect((await moved.chat('say done')).text).toBe('done');
});

test('a bad bundle is refused with the bad record; its sound part is imported on request; viewers may not import', async () => {
  await using one = await startTestServer();
  const session = await one.rondo.sessions.create({ agent: 'testing' });
  await session.chat('say hello');
  const { body } = await one.call('POST', `/v1/sessions/${session.id}/export`, { format: 'bundle' });
  const text = String(body['text']);
  const { call, token, rondo } = one;
  const cut = text.slice(0, -200);
  const answer = async (given: string, path = '', more = {}) => {
    const { status, body: told } = await call('POST', `/v1/sessions/import${path}`, given, {
      headers: bundle,
      ...more,
    });
    return `${status} ${(told as { detail?: string }).detail ?? ''}`;
  };
  const before = (await rondo.sessions.list()).entries.length;
  expect(await answer(cut)).toMatch(
    /^422 Can't import the bundle: behind the record at \d+ .*cut off there\. Nothing was written/,
  );
  expect(await answer(text.replace('hello', 'hallo'))).toMatch(
    /^422 Can't import the bundle: the record at .*integrity hash/,
  );
  expect(await answer(text, '', { headers: {} })).toMatch(/^400 The body must be a bundle/);
  expect(await answer(text, '', { headers: bundle, token: await token('prompter') })).toMatch(/^403 /);
  expect((await rondo.sessions.list()).entries.length).toBe(before);
  expect(await answer(cut, '?damaged=take-sound')).toMatch(/^201/);
  expect((await rondo.sessions.list()).entries.length).toBe(before + 1);
});

test('Markdown and JSON for people and scripts; search finds what was said [C122]', async () => {
  await using one = await startTestServer();
  const { call, rondo } = one;
  const session = await rondo.sessions.create({ agent: 'testing', title: 'Gardening' });
  await session.chat('say the tulips are red');
  const markdown = await call('POST', `/v1/sessions/${session.id}/export`, { format: 'markdown' });
  expect(String(markdown.body['text'])).toContain('### testing\n\nthe tulips are red\n');
  const json = await call('POST', `/v1/sessions/${session.id}/export`, { format: 'json' });
  expect(json.body).toMatchObject({ session: session.id, status: { title: 'Gardening' } });
  expect((json.body['events'] as readonly unknown[]).length).toBe((await session.status()).seq);
  const found = await call('GET', '/v1/sessions/search?text=tulip');
  expect(found.body).toMatchObject({ sessions: [{ session: session.id, excerpt: 'the tulips are red' }] });
  expect((await call('GET', '/v1/sessions/search?text=roses')).body).toEqual({ sessions: [] });
});

test('[S21] a shared page shows no secret, in its title neither', async () => {
  await using server = await startTestServer();
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const session = await server.rondo.sessions.create({ agent: 'testing', title: `Use ${secret} here` });
  await session.chat(`say ${secret}`);
  const { body } = await server.call('POST', `/v1/sessions/${session.id}/shares`, {});
  const shared = await server.call('GET', String(body['path']).replace('/share/', '/v1/shared/'));
  expect([shared.status, shared.body['title'], JSON.stringify(shared.body).includes(secret)]).toEqual([
    200,
    'Use [redacted] here',
    false,
  ]);
});

test("[S13] an approver's push subscription can't make the server send requests in its own network", async () => {
  await using server = await startTestServer();
  const token = await server.token('approver');
  const subscribed = async (endpoint: string, more = {}) => {
    const keys = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) };
    return (await server.call('POST', '/v1/push/subscriptions', { endpoint, keys }, more)).status;
  };
  expect({
    approver: [
      await subscribed('http://127.0.0.1:9/x', { token }),
      await subscribed('https://10.0.0.1/x', { token }),
      await subscribed('https://[::ffff:169.254.169.254]/x', { token }),
      await subscribed('https://router.lan/x', { token }),
      await subscribed('https://push.example.com/x', { token }),
    ],
    owner: await subscribed('http://127.0.0.1:9/x'),
  }).toEqual({ approver: [403, 403, 403, 403, 201], owner: 201 });
});
