import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createAllowListProxy, isAllowedHost } from './allow-list-proxy.ts';
import { readServerName } from './server-name.ts';

test.each([
  ['example.com', true],
  ['EXAMPLE.com.', true],
  ['evil-example.com', false],
  ['a.example.com', false],
  ['a.b.example.org', true],
  ['example.org', false],
  ['127.0.0.1', false],
  ['10.0.0.1', false],
])('safety S8f: the allow list on %s says %s', (host, expected) => {
  expect(isAllowedHost(host, ['example.com', '*.example.org', '10.0.0.1'])).toBe(expected);
});

describe('safety S8f: the proxy', () => {
  let folder = '';
  let key = '';
  let cert = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'rondo-proxy-'));
    const files = ['-keyout', path.join(folder, 'key'), '-out', path.join(folder, 'cert')];
    const args = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ];
    execFileSync('openssl', [...args, '-subj', '/CN=example.org', ...files], { stdio: 'ignore' });
    key = await readFile(path.join(folder, 'key'), 'utf8');
    cert = await readFile(path.join(folder, 'cert'), 'utf8');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function scene() {
    const server = createTlsServer({ key, cert }, (socket) => socket.end('served'));
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const refused: string[] = [];
    const proxy = await createAllowListProxy({
      socket: path.join(folder, 's'),
      hosts: ['example.org'],
      onRefused: (host) => refused.push(host),
      reach: async () => connect(port, '127.0.0.1'),
    });
    return {
      refused,
      async ask(target: string, servername: string): Promise<string> {
        const socket = connect(proxy.socket);
        socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
        const [head] = (await once(socket, 'data')) as [Buffer];
        const status = /^HTTP\/1\.1 (\d+)/.exec(head.toString())?.[1] ?? '';
        if (status !== '200') return status;
        const tls = connectTls({ socket, servername, rejectUnauthorized: false });
        const parts: Buffer[] = [];
        tls.on('data', (chunk: Buffer) => parts.push(chunk));
        tls.on('error', () => undefined);
        await new Promise((resolve) => tls.once('close', resolve));
        return Buffer.concat(parts).toString() || 'cut';
      },
      async plain(text: string): Promise<string> {
        const socket = connect(proxy.socket);
        socket.write(text);
        const [head] = (await once(socket, 'data')) as [Buffer];
        socket.destroy();
        return head.toString().split('\r\n')[0] ?? '';
      },
      async [Symbol.asyncDispose]() {
        await proxy.close();
        server.close();
      },
    };
  }

  test('passes TLS to a listed host, and cuts it where the greeting names another', async () => {
    await using one = await scene();
    expect(await one.ask('example.org:443', 'example.org')).toBe('served');
    expect(await one.ask('example.org:443', 'hidden.example')).toBe('cut');
    expect(one.refused).toEqual(['example.org:443 (TLS for hidden.example)']);
  });

  test('refuses other hosts, ports, addresses and plain HTTP', async () => {
    await using one = await scene();
    for (const target of ['other.org:443', 'example.org:22', '127.0.0.1:443', '[::1]:443'])
      expect([target, await one.ask(target, 'example.org')]).toEqual([target, '403']);
    expect(await one.plain('GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n')).toBe(
      'HTTP/1.1 403 Forbidden',
    );
  });

  test("bytes that aren't TLS name no host, cut anywhere", () => {
    expect(readServerName(Buffer.from('GET / HTTP/1.1\r\n'))).toEqual({ type: 'none' });
    for (let length = 0; length < 64; length += 1) {
      const bytes = Buffer.alloc(length + 5, 0xff);
      bytes.set([0x16, 3, 1, 0, length]);
      expect(readServerName(bytes).type).toBe('none');
    }
  });
});
