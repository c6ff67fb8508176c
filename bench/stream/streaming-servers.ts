/** The two sides of the comparison: tokens to every follower of a session, by hand and by Rondo. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { WebSocketServer } from 'ws';

import { createRondo } from '../../src/rondo.ts';
import type { Model } from '../../src/runtime/model.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { textFrame } from '../../src/server/frame.ts';
import { startServer } from '../../src/server/server.ts';

export type StreamSide = 'floor' | 'rondo';

/** Puts tokens out, one burst a call, until it says that it is enough. */
export type Speak = (put: (token: string) => void) => Promise<void>;

export interface StreamingServer extends AsyncDisposable {
  readonly port: number;
  /** What each client says to follow a session, and what tells that it does. */
  readonly greetings: readonly (readonly string[])[];
  readonly greeted: string;
  /** Speaks in every session at once. */
  stream(speak: Speak): Promise<void>;
}

export interface Crowd {
  readonly sessions: number;
  /** Of each session. */
  readonly followers: number;
}

export function startStreaming(side: StreamSide, crowd: Crowd): Promise<StreamingServer> {
  return side === 'floor' ? startFloor(crowd) : startRondo(crowd);
}

/** One frame a token, made once; those of one burst are written to each socket as one piece. */
async function startFloor({ sessions, followers }: Crowd): Promise<StreamingServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  const rooms = Array.from({ length: sessions }, (): Duplex[] => []);
  server.on('connection', (ws, { socket }) => {
    ws.once('message', (data: Buffer) => {
      rooms[Number(data.toString('utf8'))]?.push(socket);
      ws.send('ready');
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    greetings: rooms.flatMap((_, room) => Array.from({ length: followers }, () => [String(room)])),
    greeted: 'ready',
    async stream(speak) {
      await Promise.all(
        rooms.map(async (sockets, session) => {
          let offset = 0;
          let frames: Buffer[] = [];
          const write = () => {
            const piece = frames.length === 1 ? frames[0] : Buffer.concat(frames);
            frames = [];
            for (const socket of sockets) socket.write(piece ?? '');
          };
          await speak((token) => {
            const frame = textFrame(
              `{"v":1,"type":"progress","session":"${session}","offset":${offset},"text":"${token}"}`,
            );
            offset += token.length;
            if (frames.push(frame) === 1) process.nextTick(write);
          });
        }),
      );
    },
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startRondo({ sessions: count, followers }: Crowd): Promise<StreamingServer> {
  let speak: Speak = () => Promise.resolve();
  const model: Model = {
    name: 'bench',
    async call(_request, sink) {
      await speak((token) => sink.text(token));
      // What was said is not told again with the settled message, which would be counted as well.
      const usage = { inputTokens: 1, outputTokens: 1, cost: 0 };
      return { type: 'completed', text: 'done', calls: [], usage, stop: 'end' };
    },
  };
  const rondo = await createRondo({ agents: { bench: {} }, models: { bench: model } });
  const owner = 'owner-of-the-bench';
  const server = await startServer({
    backend: rondo,
    tokens: { file: { read: () => Promise.resolve(undefined), update: () => Promise.resolve() }, owner },
    cwd: process.cwd(),
    host: '127.0.0.1',
    port: 0,
    clock: createSystemClock(),
    logger: { log: () => undefined },
    version: '0.0.0',
    // The flood is as fast as the server: nobody is slow.
    limits: { bufferedBytes: 1024 ** 3 },
  });
  const sessions = await Promise.all(Array.from({ length: count }, () => rondo.sessions.create()));
  await Promise.all(sessions.map((session) => session.persist()));
  const hello = JSON.stringify({ v: 1, type: 'hello', token: owner });
  return {
    port: server.port,
    greetings: sessions.flatMap(({ id: session }) =>
      Array.from({ length: followers }, () => [
        hello,
        JSON.stringify({ v: 1, type: 'session.follow', session, after: 1, id: 'follow' }),
      ]),
    ),
    greeted: '"id":"follow"',
    async stream(given) {
      speak = given;
      await Promise.all(sessions.map((session) => session.chat('go')));
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await rondo.close();
    },
  };
}
