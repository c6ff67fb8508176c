import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

import type { SessionId } from '../../kernel/ids.ts';
import type { Nodes } from '../../ports/nodes.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createNodeKey } from './assertion.ts';
import { createNodeLinks } from './node-links.ts';

const session = 'ses_1' as SessionId;
const piece = {
  type: 'progress',
  effect: `${session}.4`,
  attempt: 1,
  kind: 'text',
  offset: 0,
  text: 'One',
} as const;

/** A program at a node's address. It answers the follow on its n-th connection with the n-th text. */
async function listen(...answers: readonly (readonly string[])[]) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const sockets: WebSocket[] = [];
  server.on('connection', (socket) => {
    const answer = answers[sockets.push(socket) - 1] ?? [];
    socket.on('message', (data: Buffer) => {
      if (data.toString().includes('session.follow')) for (const text of answer) socket.send(text);
    });
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

/** A follower of a session whose owner is at the address that `at` holds. */
function follow(at: { address: string }) {
  const clock = createFakeClock();
  const heard = { progress: [] as unknown[], committed: [] as number[], after: 0 };
  const leases = { self: { id: 'self' }, ownerOf: () => Promise.resolve({ id: 'owner' }) };
  const nodes = { find: () => Promise.resolve({ owner: 'owner', isAlive: true, address: at.address }) };
  const stop = createNodeLinks({
    leases: leases as never,
    nodes: nodes as unknown as Nodes,
    key: createNodeKey(),
    clock,
    logger: { log: () => undefined },
    isInsecure: false,
  }).follow(session, {
    for: { person: { type: 'person', name: 'Ada' }, role: 'viewer' },
    after: () => heard.after,
    progress: (progress) => heard.progress.push(progress),
    committed: (seq) => heard.committed.push(seq),
    otherwise: () => expect.fail('the owner has an address'),
  });
  onTestFinished(stop);
  /** Lets time pass until it is so. */
  const until = async (is: () => boolean) => {
    await expect.poll(() => clock.advance(200).then(is), { interval: 1 }).toBe(true);
  };
  return { clock, heard, until };
}

const message = (fields: object) => JSON.stringify({ v: 1, session, ...fields });

test('[C153] another program at the address of an owner harms nobody, and the owner is found once it is back', async () => {
  const nonsense = [
    'hello',
    'null',
    '[]',
    message({ ...piece, text: 5 }),
    message({ ...piece, effect: 'ses_2.4' }),
    message({ type: 'event', seq: 'one' }),
    message({ type: 'snapshot', seq: 1 }),
    message({ type: 'snapshot', seq: 1, view: { streaming: [null] } }),
    message({ type: 'error', code: 'MISDIRECTED' }),
  ];
  const owner = [
    message({ type: 'of a newer release' }),
    message({ type: 'progress', session: 'ses_2' }),
    message({ type: 'event', seq: 3 }),
    message(piece),
  ];
  const there = await listen(...nonsense.map((text) => [text]), owner);
  const { heard, until } = follow(there);
  await until(() => heard.progress.length > 0);
  expect({ connections: there.sockets.length, ...heard }).toEqual({
    connections: nonsense.length + 1,
    progress: [piece],
    committed: [3],
    after: 0,
  });
});

test('[C153] an owner that no longer says what the journal has is left for the next one', async () => {
  const stopped = await listen([message({ type: 'event', seq: 1 }), message(piece)]);
  const next = await listen([message({ ...piece, attempt: 2 })]);
  const at = { address: stopped.address };
  const { clock, heard, until } = follow(at);
  await until(() => heard.progress.length === 1);
  // What the owner said is in the journal. It may be silent then.
  heard.after = 1;
  await clock.advance(20_000);
  expect(stopped.sockets).toHaveLength(1);
  at.address = next.address;
  heard.after = 2;
  await until(() => heard.progress.length === 2);
  expect(clock.now()).toBeLessThan(1_000_000 + 20_000 + 10_000);
  expect(heard.progress).toEqual([piece, { ...piece, attempt: 2 }]);
});
