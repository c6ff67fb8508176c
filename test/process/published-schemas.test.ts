// Checks real output of Rondo against its published schemas, as another language would read them.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';
import { z } from 'zod';

import { createCliPlace } from '../end-to-end/cli-process.ts';
import { startTestServer } from './server-setup.ts';

function published(file: string): z.ZodType {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/schemas', file), 'utf8');
  return z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]);
}

function misfits(schema: z.ZodType, said: readonly unknown[]): readonly string[] {
  return said.flatMap((one) => {
    const { error } = schema.safeParse(one);
    return error === undefined ? [] : [`${JSON.stringify(one)}: ${error.message}`];
  });
}

test('[C85] every message of a WebSocket, from hello to an answered question, is as published', async () => {
  await using here = await startTestServer();
  const socket = await here.connect();
  const sent = [
    { v: 1, type: 'directory.follow' },
    { v: 1, type: 'session.create', id: 'a', session: { agent: 'testing' } },
  ];
  for (const message of sent) socket.send(message);
  const { session = '' } = await socket.next('ok');
  const more = [
    { v: 1, type: 'session.follow', session },
    {
      v: 1,
      type: 'session.input',
      id: 'b',
      key: 'k1',
      session,
      input: { type: 'chat', text: 'call touch {}\nsay done' },
    },
    { v: 1, type: 'ping', id: 'p' },
    { v: 1, type: 'nonsense', id: 'n' },
  ];
  for (const message of more) socket.send(message);
  await socket.next('pong');
  await socket.next('error');
  await expect.poll(async () => (await here.rondo.questions()).length).toBe(1);
  const [question] = await here.rondo.questions();
  const answer = {
    v: 1,
    type: 'question.answer',
    id: 'c',
    question: question?.id,
    key: 'k2',
    answer: { choice: 'allow-once' },
  };
  socket.send(answer);
  await expect
    .poll(() => socket.received.some((one) => one.type === 'event' && one.event.type === 'turn-ended'))
    .toBe(true);

  const types = new Set(socket.received.map(({ type }) => type));
  expect([...types].toSorted()).toEqual(
    ['directory', 'error', 'event', 'ok', 'pong', 'progress', 'snapshot', 'welcome'].toSorted(),
  );
  expect(misfits(published('websocket-server.json'), socket.received)).toEqual([]);
  const events = socket.received.flatMap((message) => (message.type === 'event' ? [message.event] : []));
  expect(misfits(published('events.json'), events)).toEqual([]);
  expect(published('events.json').safeParse({ type: 'turn-ended' }).success).toBe(false);
  const fits = [...sent, ...more.filter(({ type }) => type !== 'nonsense'), answer];
  expect(misfits(published('websocket-client.json'), fits)).toEqual([]);
  expect(published('websocket-client.json').safeParse({ v: 1, type: 'nonsense', id: 'n' }).success).toBe(false);
});

test('[C96] every line of `rondo run --json` is as published, and the last one is the result', async () => {
  await using place = await createCliPlace();
  const json = ['run', '--agent', 'testing', '--json'];
  const asked = await place.rondo(...json, 'call shell {"command":"git push"}');
  const said = await place.rondo(...json, 'say hello');
  const failed = await place.rondo(...json, 'fail');
  expect([asked.code, said.code, failed.code]).toEqual([3, 0, 6]);
  const lines = [asked, said, failed].map(({ out }) =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  );
  expect(misfits(published('run-line.json'), lines.flat())).toEqual([]);
  expect(
    misfits(
      published('result.json'),
      lines.map((of) => of.at(-1)),
    ),
  ).toEqual([]);
  expect(published('result.json').safeParse(lines[0]?.[0]).success).toBe(false);
});
