import { createRondo } from '../../src/rondo.ts';
import type { Model } from '../../src/ports/model.ts';
import { startBenchServer, unlimitedBuffer } from '../serve/bench-server.ts';
import { clientsOf, type Crowd, type Speak, type StreamingServer } from './streaming-server.ts';

export async function startRondoStreams(
  { sessions: count, followers }: Crowd,
  over: 'websocket' | 'events',
): Promise<StreamingServer> {
  let speak: Speak = () => Promise.resolve();
  const model: Model = {
    name: 'bench',
    async call(_request, sink) {
      await speak((token) => sink.text(token));
      // The settled message doesn't repeat the text, which would be counted twice.
      const usage = { inputTokens: 1, outputTokens: 1, cost: 0 };
      return { type: 'completed', text: 'done', calls: [], usage, stop: 'end' };
    },
  };
  const rondo = await createRondo({ agents: { bench: {} }, models: { bench: model } });
  const server = await startBenchServer(rondo, unlimitedBuffer);
  const { owner } = server;
  const sessions = await Promise.all(Array.from({ length: count }, () => rondo.sessions.create()));
  await Promise.all(sessions.map((session) => session.persist()));
  const hello = JSON.stringify({ v: 1, type: 'hello', token: owner });
  return {
    port: server.port,
    clients: clientsOf(sessions, followers, ({ id: session }) =>
      over === 'events'
        ? { path: `/api/v1/sessions/${session}/events?after=1`, headers: { Authorization: `Bearer ${owner}` } }
        : {
            path: '/ws',
            says: [hello, JSON.stringify({ v: 1, type: 'session.follow', session, after: 1, id: 'follow' })],
          },
    ),
    greeted: over === 'events' ? '\r\n\r\n' : '"id":"follow"',
    async stream(given) {
      speak = given;
      await Promise.all(sessions.map((session) => session.chat('go')));
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
