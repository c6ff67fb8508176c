import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { createServerBackend } from './server-backend.ts';

test('reports a server that refuses connections instead of waiting', async () => {
  const server = createServer().on('upgrade', (_, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { config: {}, problems: [], sources: [] } as never;
  await using backend = createServerBackend({ url, token: 'none', cwd: '/', config });
  await expect(backend.create({})).rejects.toThrow(
    `Connecting to the server at ${url} failed 3 times in a row: the connection was lost. Check its log, or run without it: \`rondo chat --alone\`.`,
  );
  server.closeAllConnections();
  server.close();
});
