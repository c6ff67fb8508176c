/** Hand-written WebSocket: frames built once and written, or a `send` for every client. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { WebSocketServer, type WebSocket } from 'ws';

import { textFrame } from '../../src/server/frame.ts';
import { clientsOf, type Crowd, type StreamingServer } from './streaming-server.ts';

/** One frame per token, built once; the frames of one burst are written to each socket as one piece. */
export function startWrittenFrames(crowd: Crowd): Promise<StreamingServer> {
  return startRooms<Duplex>(
    crowd,
    (_, socket) => socket,
    (sockets) => {
      let frames: Buffer[] = [];
      const write = () => {
        const piece = frames.length === 1 ? frames[0] : Buffer.concat(frames);
        frames = [];
        for (const socket of sockets) socket.write(piece ?? '');
      };
      return (text) => {
        if (frames.push(textFrame(text)) === 1) process.nextTick(write);
      };
    },
  );
}

export function startSentMessages(crowd: Crowd): Promise<StreamingServer> {
  return startRooms<WebSocket>(
    crowd,
    (ws) => ws,
    (members) => (text) => {
      for (const ws of members) ws.send(text);
    },
  );
}

async function startRooms<Member>(
  { sessions, followers }: Crowd,
  memberOf: (ws: WebSocket, socket: Duplex) => Member,
  tellerOf: (members: readonly Member[]) => (text: string) => void,
): Promise<StreamingServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  const rooms = Array.from({ length: sessions }, (): Member[] => []);
  server.on('connection', (ws, { socket }) => {
    ws.once('message', (data: Buffer) => {
      rooms[Number(data.toString('utf8'))]?.push(memberOf(ws, socket));
      ws.send('ready');
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    clients: clientsOf([...rooms.keys()], followers, (room) => ({ path: '/ws', says: [String(room)] })),
    greeted: 'ready',
    async stream(speak) {
      await Promise.all(
        rooms.map(async (members, session) => {
          const tell = tellerOf(members);
          let offset = 0;
          await speak((token) => {
            tell(progressText(session, offset, token));
            offset += token.length;
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

export function progressText(session: number, offset: number, token: string): string {
  return `{"v":1,"type":"progress","session":"${session}","offset":${offset},"text":"${token}"}`;
}
