/** Server-sent events, hand-written and with Hono. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';

import { progressText } from './floor-streams.ts';
import { clientsOf, type Crowd, type StreamingServer } from './streaming-server.ts';

/** The text of a burst is built once and written to each response as one piece. */
export async function startNodeEvents(crowd: Crowd): Promise<StreamingServer> {
  const rooms = Array.from({ length: crowd.sessions }, (): ServerResponse[] => []);
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: ready\n\n');
    rooms[roomIn(request.url)]?.push(response);
  }).listen(0, '127.0.0.1');
  return served(server, crowd, (session) => {
    const members = rooms[session] ?? [];
    let gathered = '';
    const write = () => {
      const text = gathered;
      gathered = '';
      for (const response of members) response.write(text);
    };
    return (text) => {
      if (gathered === '') process.nextTick(write);
      gathered += `data: ${text}\n\n`;
    };
  });
}

export async function startHonoEvents(crowd: Crowd): Promise<StreamingServer> {
  const rooms = Array.from({ length: crowd.sessions }, (): SSEStreamingApi[] => []);
  const app = new Hono();
  app.get('/:room', (context) =>
    streamSSE(context, async (stream) => {
      await stream.writeSSE({ data: 'ready' });
      rooms[Number(context.req.param('room'))]?.push(stream);
      await new Promise<void>((resolve) => stream.onAbort(resolve));
    }),
  );
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1');
  return served(server, crowd, (session) => (data) => {
    for (const stream of rooms[session] ?? []) void stream.writeSSE({ data });
  });
}

async function served(
  server: Server,
  { sessions, followers }: Crowd,
  tellerOf: (session: number) => (text: string) => void,
): Promise<StreamingServer> {
  await once(server, 'listening');
  const rooms = Array.from({ length: sessions }, (_, room) => room);
  return {
    port: (server.address() as AddressInfo).port,
    clients: clientsOf(rooms, followers, (room) => ({ path: `/${room}` })),
    greeted: 'ready',
    async stream(speak) {
      await Promise.all(
        rooms.map(async (session) => {
          const tell = tellerOf(session);
          let offset = 0;
          await speak((token) => {
            tell(progressText(session, offset, token));
            offset += token.length;
          });
        }),
      );
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function roomIn(url = ''): number {
  return Number(url.slice(1));
}
