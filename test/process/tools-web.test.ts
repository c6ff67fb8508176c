import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { createToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';
import { createWebFetchTool, type WebFetchOptions } from '../../src/tools/web/web-fetch-tool.ts';
import { createWebSearchTool } from '../../src/tools/web/web-search-tool.ts';
import { listenLocally } from '../fixtures/local-server.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const serve = (handler: Handler) => listenLocally(createServer(handler));

async function fetchPage(
  url: string,
  options: WebFetchOptions = { privateHosts: 'allowed' },
  args: object = {},
  signal?: AbortSignal,
) {
  await using workspace = await createToolWorkspace();
  return await createWebFetchTool(options).run({ url, ...args }, workspace.run(signal));
}

describe('web_fetch', () => {
  test('C33: gives the text of a page, 10 000 characters at a time', async () => {
    await using site = await serve((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        `<html><head><title>x</title></head><body><h1>Title</h1><script>evil()</script><p>${'word '.repeat(5_000)}</p></body></html>`,
      );
    });
    const first = await fetchPage(site.url);
    expect(first).toMatchObject({ type: 'success', data: { status: 200, truncated: true } });
    const text = first.type === 'success' && typeof first.output === 'string' ? first.output : '';
    expect(text.startsWith('# Title\n')).toBe(true);
    expect(text).not.toContain('evil');
    expect(text).toMatch(/Read on with offset 10000\.\]$/);
    expect(text.length).toBeLessThan(10_100);
    expect(await fetchPage(site.url, { privateHosts: 'allowed' }, { offset: 20_000 })).toMatchObject({
      type: 'success',
      data: { truncated: false },
    });
  });

  test('C33: a server that is silent or never ends costs no more than the limit', async () => {
    await using silent = await serve(() => undefined);
    const started = performance.now();
    expect(await fetchPage(silent.url, { privateHosts: 'allowed', timeoutMs: 300 })).toMatchObject({
      type: 'error',
      code: 'timed-out',
    });
    await using endless = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(1_000)), 5);
      response.on('close', () => clearInterval(timer));
    });
    expect(await fetchPage(endless.url, { privateHosts: 'allowed', timeoutMs: 300 })).toMatchObject({
      type: 'error',
      code: 'timed-out',
    });
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  test('C33: unpacks compressed pages up to a size, a bomb included', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'x'));
    await using site = await serve((_, response) => {
      response.setHeader('content-encoding', 'gzip').setHeader('content-type', 'text/plain').end(bomb);
    });
    expect(await fetchPage(site.url)).toMatchObject({
      type: 'success',
      data: { characters: 5_000_000, truncated: true },
    });
  });

  test('C33: follows redirects on the same host, a few, and reports one to another host', async () => {
    await using site = await serve((request, response) => {
      const to = { '/a': '/b', '/away': 'https://example.org/x', '/round': '/round' }[request.url ?? ''];
      if (to === undefined) response.setHeader('content-type', 'text/plain').end('arrived');
      else response.writeHead(302, { location: to }).end();
    });
    expect(await fetchPage(`${site.url}/a`)).toMatchObject({ type: 'success', output: 'arrived' });
    expect(await fetchPage(`${site.url}/round`)).toMatchObject({ type: 'error', code: 'too-many-redirects' });
    expect(await fetchPage(`${site.url}/away`)).toMatchObject({
      type: 'error',
      code: 'redirected',
      message: expect.stringContaining('https://example.org/x'),
    });
  });

  test('C33: errors and other kinds of content are reported', async () => {
    await using site = await serve((request, response) => {
      if (request.url === '/gone') response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page');
      else response.setHeader('content-type', 'image/png').end(Buffer.from([1, 2, 3]));
    });
    expect(await fetchPage(`${site.url}/gone`)).toMatchObject({
      type: 'error',
      code: 'http-error',
      message: expect.stringContaining('404'),
    });
    expect(await fetchPage(`${site.url}/picture`)).toMatchObject({ type: 'error', code: 'not-text' });
  });

  test('C47: this machine is refused by default, however it is spelled, when judged and when run', async () => {
    let asked = 0;
    await using site = await serve((_, response) => {
      asked += 1;
      response.end('inside');
    });
    const port = new URL(site.url).port;
    await using workspace = await createToolWorkspace();
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0x7f.1',
      '2130706433',
      '0.0.0.0',
      'foo.localhost',
    ]) {
      const url = `http://${host}:${port}/`;
      expect([url, await fetchPage(url, {})]).toMatchObject([url, { type: 'error', code: 'private-address' }]);
      expect(await createWebFetchTool().describe({ url }, workspace.context())).toMatchObject({
        dangers: [{ rule: 'private-address', severity: 'deny' }],
      });
    }
    expect(asked).toBe(0);
  });

  test('P6: cancels', async () => {
    await using silent = await serve(() => undefined);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    expect(await fetchPage(silent.url, { privateHosts: 'allowed' }, {}, controller.signal)).toEqual({
      type: 'cancelled',
    });
  });

  test('its grant is for the host', async () => {
    await using workspace = await createToolWorkspace();
    expect(await createWebFetchTool().describe({ url: 'https://example.org/a?b' }, workspace.context())).toEqual({
      access: 'network',
      urls: ['https://example.org/a?b'],
      grants: ['web_fetch(https://example.org/*)'],
      repeat: 'safe',
      order: 'parallel',
      runs: 'tool',
    });
  });
});

describe('web_search', () => {
  test('C33: says how to configure a provider where there is none', async () => {
    await using workspace = await createToolWorkspace();
    expect(await createWebSearchTool().run({ query: 'x' }, workspace.run())).toMatchObject({
      type: 'error',
      code: 'not-configured',
      message: expect.stringContaining('rondo.json'),
    });
  });

  test('C33: asks the provider and reads its list', async () => {
    const asked: (string | undefined)[] = [];
    await using site = await serve((request, response) => {
      asked.push(request.url, request.headers['x-key']?.toString());
      response.end(
        JSON.stringify({
          web: { results: [{ title: 'One', url: 'https://one.example', description: '<b>first</b> hit' }] },
        }),
      );
    });
    await using workspace = await createToolWorkspace();
    const tool = createWebSearchTool({
      provider: { url: `${site.url}/search?q={query}&n={count}`, headers: { 'x-key': 'k' } },
    });
    expect(await tool.run({ query: 'a & b', count: 3 }, workspace.run())).toMatchObject({
      output: '1. One\n   https://one.example\n   first hit',
    });
    expect(asked).toEqual(['/search?q=a%20%26%20b&n=3', 'k']);
    expect((await tool.describe({ query: 'x' }, workspace.context())).urls).toEqual([`${site.url}/search`]);
  });
});
