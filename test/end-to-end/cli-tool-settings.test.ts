import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createCliPlace } from './cli-process.ts';
import { bubblewrap, skipped } from '../fixtures/bubblewrap.ts';

test.skipIf(bubblewrap === undefined)(
  `[C53] \`tools.sandbox\` keeps a shell command from writing outside the session${skipped}`,
  async () => {
    await using place = await createCliPlace();
    await place.write('rondo.json', { tools: { sandbox: 'workspace' } });
    const outside = path.join(place.home, 'outside');
    const prompt = `call shell {"command":"touch inside; python3 -c 'open(\\"${outside}\\",\\"w\\")'"}`;
    const words = ['run', '--agent', 'testing', '--trust-project', '--auto-approve', prompt];
    await place.start(words, { env: { RONDO_BWRAP: bubblewrap ?? '' } }).ended;
    expect([existsSync(path.join(place.project, 'inside')), existsSync(outside)]).toEqual([true, false]);
  },
);

test('[C33] `tools.webSearch` names the service behind web_search', async () => {
  const server = createServer((_request, response) =>
    response.end(
      JSON.stringify({ results: [{ title: 'A teapot', url: 'https://example.org/', content: 'boils' }] }),
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await using place = await createCliPlace();
  await place.write('rondo.json', { tools: { webSearch: { url: `http://127.0.0.1:${port}/?q={query}` } } });
  const run = await place.rondo(
    'run',
    '--agent',
    'testing',
    '--trust-project',
    '--auto-approve',
    'call web_search {"query":"teapot"}',
  );
  server.close();
  expect(run.out).toContain('A teapot');
});
