import type { Rondo } from '../../src/rondo.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { startServer, type ServerOptions } from '../../src/server/server.ts';

/** A server for measuring, with one token; closing it closes the Rondo too. */
export async function startBenchServer(
  rondo: Rondo,
  options: Partial<Pick<ServerOptions, 'cwd' | 'limits' | 'requestsPerSecond'>>,
) {
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
    ...options,
  });
  return {
    owner,
    url: server.url,
    port: server.port,
    async close() {
      await server.close();
      await rondo.close();
    },
  };
}

/** For a flood as fast as the server: no client counts as slow. */
export const unlimitedBuffer = { limits: { bufferedBytes: 1024 ** 3 } };
