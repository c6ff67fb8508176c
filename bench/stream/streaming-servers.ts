/** The sides of the comparison: tokens to every follower of a session, by hand, by others and by Rondo. */
import type { Crowd, StreamingServer } from './streaming-server.ts';

export const streamSides = {
  floor: 'floor: ws, a frame made once and written',
  rondo: 'Rondo',
  'rondo-sse': 'Rondo, server-sent events',
  'ws-send': 'ws, `send` per client',
  'node-sse': 'node:http, server-sent events',
  'hono-sse': 'Hono streamSSE',
} as const;

export type StreamSide = keyof typeof streamSides;

export async function startStreaming(side: StreamSide, crowd: Crowd): Promise<StreamingServer> {
  switch (side) {
    case 'floor':
      return (await import('./floor-streams.ts')).startWrittenFrames(crowd);
    case 'ws-send':
      return (await import('./floor-streams.ts')).startSentMessages(crowd);
    case 'node-sse':
      return (await import('./event-streams.ts')).startNodeEvents(crowd);
    case 'hono-sse':
      return (await import('./event-streams.ts')).startHonoEvents(crowd);
    case 'rondo':
      return (await import('./rondo-streams.ts')).startRondoStreams(crowd, 'websocket');
    case 'rondo-sse':
      return (await import('./rondo-streams.ts')).startRondoStreams(crowd, 'events');
  }
}
