/** Three ways to handle an agent's stream: read by hand, relayed by hand to a client, relayed by Rondo. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';

import { WebSocketServer } from 'ws';

import { startBenchServer, unlimitedBuffer } from '../serve/bench-server.ts';
import { createRondo } from '../../src/rondo.ts';
import { textFrame } from '../../src/server/frame.ts';
import { createMarkCounter, type Counted, type Counting } from '../stream/mark-counter.ts';
import { startReaders } from '../stream/readers.ts';
import type { StreamClient } from '../stream/streaming-server.ts';
import { agentFile, driveAgent } from './driven-agent.ts';

export type RelaySide = 'direct' | 'floor' | 'rondo';

/** An agent, and the reader of its updates. */
interface Relay extends AsyncDisposable {
  prompt(text: string): Promise<void>;
  reset(counting: Counting): Promise<unknown>;
  report(expected: number): Promise<Counted>;
}

export function startRelay(side: RelaySide, folder: string): Promise<Relay> {
  switch (side) {
    case 'direct':
      return startDirect(folder);
    case 'floor':
      return startFloor(folder);
    case 'rondo':
      return startRondo(folder);
  }
}

async function startDirect(folder: string): Promise<Relay> {
  const counter = createMarkCounter();
  const agent = await driveAgent(folder, (texts) => {
    for (const text of texts) counter.add(() => text.slice(1));
  });
  return {
    prompt: (text) => agent.prompt(text),
    reset: (counting) => Promise.resolve(counter.reset(counting)),
    report: (expected) => counter.report(expected),
    [Symbol.asyncDispose]: () => Promise.resolve(agent.end()),
  };
}

/** Parsed, wrapped, and written to the client once per received chunk. */
async function startFloor(folder: string): Promise<Relay> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  let client: Duplex | undefined;
  server.on('connection', (ws, { socket }) => {
    client = socket;
    ws.once('message', () => ws.send('ready'));
  });
  const readers = await readersOf((server.address() as AddressInfo).port, ['follow'], 'ready');
  let offset = 0;
  const agent = await driveAgent(folder, (texts) => {
    const frames = texts.map((text) => {
      const frame = textFrame(
        `{"v":1,"type":"progress","session":"1","offset":${offset},"text":${JSON.stringify(text)}}`,
      );
      offset += text.length;
      return frame;
    });
    client?.write(Buffer.concat(frames));
  });
  return {
    prompt: (text) => agent.prompt(text),
    ...readers,
    async [Symbol.asyncDispose]() {
      agent.end();
      for (const ws of server.clients) ws.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startRondo(folder: string): Promise<Relay> {
  // An agent that can resume its session is kept between turns.
  const args = [agentFile, '--resume', '--state', path.join(folder, 'agent')];
  const rondo = await createRondo({
    store: `sqlite:${path.join(folder, 'rondo.db')}`,
    agents: { agent: { command: { command: process.execPath, args } } },
  });
  const server = await startBenchServer(rondo, { cwd: folder, ...unlimitedBuffer });
  const session = await rondo.sessions.create({ agent: 'agent', cwd: folder });
  await session.persist();
  const says = [
    JSON.stringify({ v: 1, type: 'hello', token: server.owner }),
    JSON.stringify({ v: 1, type: 'session.follow', session: session.id, after: 1, id: 'follow' }),
  ];
  return {
    async prompt(text) {
      const reply = await session.chat(text);
      if (reply.outcome !== 'completed') throw new Error(`The turn ended as ${reply.outcome}: ${reply.reason}`);
    },
    ...(await readersOf(server.port, says, '"id":"follow"')),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

async function readersOf(port: number, says: readonly string[], until: string) {
  const readers = startReaders(port);
  const client: StreamClient = { path: '/ws', says };
  await readers.ask({ type: 'connect', clients: [client], until });
  return {
    reset: (counting: Counting) => readers.ask({ type: 'reset', ...counting }),
    report: (expected: number) => readers.ask({ type: 'report', expected }),
  };
}
