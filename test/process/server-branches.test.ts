// Fork, rewind and compaction over HTTP.
import { expect, test } from 'vitest';

import { codeOf, start, type TestServer, until } from './server-setup.ts';

const statusOf = async ({ call }: TestServer, id: string) => (await call('GET', `/v1/sessions/${id}`)).body;

async function say(server: TestServer, id: string, text: string): Promise<number> {
  await server.call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text });
  await until(async () => (await statusOf(server, id))['phase'] === 'idle');
  return (await statusOf(server, id))['seq'] as number;
}
async function saidIn({ call }: TestServer, id: string): Promise<readonly unknown[]> {
  const { body } = await call('GET', `/v1/sessions/${id}/transcript`);
  const items = body['items'] as readonly { readonly type: string; readonly text?: unknown }[];
  return items.flatMap(({ type, text }) => (type === 'message' ? [text] : []));
}

test('[C119] a session is forked at an event, shows what it shares and goes its own way', async () => {
  const server = await start();
  const { call } = server;
  const id = String((await call('POST', '/v1/sessions', { agent: 'testing' })).body['id']);
  const at = await say(server, id, 'say one');
  await say(server, id, 'say two');
  const forked = await call('POST', `/v1/sessions/${id}/fork`, { at });
  expect([forked.status, forked.body['origin']]).toEqual([201, { session: id, at }]);
  const fork = String(forked.body['id']);
  await say(server, fork, 'say three');
  expect(await saidIn(server, fork)).toEqual(['one', 'three']);
  expect(await saidIn(server, id)).toEqual(['one', 'two']);
  const { body } = await call('GET', `/v1/sessions?origin=${id}`);
  expect(body['entries']).toMatchObject([{ session: fork, origin: { session: id, at } }]);
  const keyed = () => call('POST', `/v1/sessions/${id}/fork`, {}, { headers: { 'idempotency-key': 'once' } });
  expect((await keyed()).body['id']).toBe((await keyed()).body['id']);
  expect((await call('DELETE', `/v1/sessions/${id}`)).status).toBe(202);
  expect((await call('POST', `/v1/sessions/${id}/fork`)).status).toBe(201);
  expect(codeOf(await call('POST', '/v1/sessions/ses_none/fork'))).toBe('404 SESSION_NOT_FOUND');
});

test('[C119] the conversation goes back to an event and is brought again; a running turn refuses it', async () => {
  const server = await start();
  const { call } = server;
  const id = String((await call('POST', '/v1/sessions', { agent: 'testing' })).body['id']);
  const to = await say(server, id, 'say one');
  await say(server, id, 'say two');
  const back = await call('POST', `/v1/sessions/${id}/rewind`, { to, files: false });
  expect([back.status, back.body]).toEqual([202, { type: 'rewound', conversation: to, files: { type: 'left' } }]);
  expect((await call('POST', `/v1/sessions/${id}/rewind`, { to: 'undo' })).status).toBe(202);
  expect(codeOf(await call('POST', `/v1/sessions/${id}/rewind`, { to: 99 }))).toBe('422 REFUSED');
  expect(await saidIn(server, id)).toEqual(['one', 'two']);
  await call('POST', `/v1/sessions/${id}/inputs`, { type: 'chat', text: 'hang' });
  expect(codeOf(await call('POST', `/v1/sessions/${id}/rewind`, { to }))).toBe('409 CONFLICT');
});

test('[C116] a conversation is summarized over HTTP, in its own turn', async () => {
  const server = await start();
  const { call } = server;
  const id = String((await call('POST', '/v1/sessions', { agent: 'testing' })).body['id']);
  await say(server, id, 'say one');
  const sent = await call('POST', `/v1/sessions/${id}/inputs`, { type: 'compact', keep: 'the number' });
  expect(sent.status).toBe(202);
  await until(async () => (await statusOf(server, id))['phase'] === 'idle');
  const { body } = await call('GET', `/v1/sessions/${id}/transcript`);
  const items = body['items'] as readonly { readonly type: string; readonly about?: unknown }[];
  expect(items.flatMap(({ type, about }) => (type === 'notice' ? [about] : []))).toMatchObject([
    { type: 'compacted', outcome: 'completed' },
  ]);
});
