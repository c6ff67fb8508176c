import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { fetchNamedBy } from './guarded-fetch.ts';

test('[S15] a server on the internet cannot send Rondo to this machine, its network or a page without HTTPS', async () => {
  const signal = AbortSignal.timeout(10_000);
  let hits = 0;
  const server = createServer((_, response) => {
    hits += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fromAfar = await fetchNamedBy('https://mcp.example.org/mcp', signal);
  const named = [
    '127.0.0.1',
    '[::1]',
    'localhost',
    '169.254.169.254',
    '10.0.0.1',
    '2130706433',
    '[::ffff:7f00:1]',
  ];
  for (const host of named)
    for (const scheme of ['http', 'https'])
      await expect(fromAfar(`${scheme}://${host}:${port}/token`, { method: 'POST', body: 'x' })).rejects.toThrow(
        'is on this machine or a local network',
      );
  await expect(fromAfar('http://example.org/')).rejects.toThrow("http://example.org doesn't use HTTPS");
  await expect(fromAfar('https://me:secret@example.org/')).rejects.toThrow('user name or password');
  expect(hits).toBe(0);
  const nearby = await fetchNamedBy(`http://127.0.0.1:${port}/mcp`, signal);
  expect(await (await nearby(`http://127.0.0.1:${port}/token`)).text()).toBe('{}');
  server.close();
});
