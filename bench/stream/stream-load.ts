import { markedToken } from './marked-token.ts';
import { startReaders } from './readers.ts';
import type { Crowd, Speak } from './streaming-server.ts';
import { startStreaming, type StreamSide } from './streaming-servers.ts';

export interface StreamLoad {
  /** Tokens delivered to all followers together, one by one and in bursts of ten. */
  readonly tokensPerSecond: number;
  readonly burstTokensPerSecond: number;
  /** From sending a token to reading it, at a slow pace. */
  readonly latencyP50Ms: number;
  readonly latencyP99Ms: number;
  readonly rssMb: number;
}

/** Clients are in a separate process, the same for both sides. */
export async function measureStreamLoad(given: {
  readonly side: StreamSide;
  readonly crowd: Crowd;
  /** Number of tokens delivered in each of the two floods. */
  readonly deliveries: number;
}): Promise<StreamLoad> {
  const { side, crowd, deliveries } = given;
  await using server = await startStreaming(side, crowd);
  const readers = startReaders(server.port);
  await readers.ask({ type: 'connect', clients: server.clients, until: server.greeted });
  const all = crowd.sessions * crowd.followers;
  const each = Math.max(20, Math.round(deliveries / all));

  async function flood(burst: number): Promise<number> {
    await readers.ask({ type: 'reset', isTimed: false });
    const tokens = Math.ceil(each / burst) * burst;
    const started = performance.now();
    await server.stream(speakFlood(tokens, burst));
    const { count, agoMs } = await readers.ask({ type: 'report', expected: tokens * all });
    if (count !== tokens * all) throw new Error(`${count} of ${tokens * all} tokens came.`);
    return (count / (performance.now() - agoMs - started)) * 1000;
  }

  await flood(10);
  const tokensPerSecond = await flood(1);
  const burstTokensPerSecond = await flood(10);
  const rssMb = process.memoryUsage().rss / 1024 ** 2;
  await readers.ask({ type: 'reset', isTimed: true });
  const paced = all > 100 ? 20 : 100;
  await server.stream(speakPaced(paced, 20));
  const { latency } = await readers.ask({ type: 'report', expected: paced * all });
  readers.end();
  return {
    tokensPerSecond,
    burstTokensPerSecond,
    latencyP50Ms: latency?.p50 ?? Number.NaN,
    latencyP99Ms: latency?.p99 ?? Number.NaN,
    rssMb,
  };
}

function speakFlood(tokens: number, burst: number): Speak {
  return async (put) => {
    for (let spoken = 0; spoken < tokens; spoken += burst) {
      for (let one = 0; one < burst; one += 1) put(markedToken());
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
}

function speakPaced(tokens: number, everyMs: number): Speak {
  return async (put) => {
    for (let spoken = 0; spoken < tokens; spoken += 1) {
      put(markedToken());
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  };
}
