import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createAllowListProxy, isAllowedHost } from './allow-list-proxy.ts';
import { createBubblewrap } from './bubblewrap.ts';
import { createNoSandbox, type SandboxLevel, type SandboxRequest } from './sandbox.ts';

const works = spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', 'true']).status === 0;
const why = works ? '' : ' (skipped: bubblewrap does not work here; apt-get install bubblewrap)';

describe('never silently unsandboxed', () => {
  const env = { A: '1' };
  test('none is none', async () => {
    expect(await createBubblewrap().wrap(['ls'], { level: 'none', roots: [], env })).toEqual({
      type: 'ready',
      argv: ['ls'],
      env,
    });
  });

  test.each<SandboxLevel>(['workspace', 'workspace-allow-list', 'workspace-no-network'])(
    '%s without bubblewrap is refused with the install line',
    async (level) => {
      const wrapped = await createBubblewrap({ program: '/nonexistent/bwrap' }).wrap(['ls'], {
        level,
        roots: ['/tmp'],
        env,
      });
      expect(wrapped).toEqual({
        type: 'unavailable',
        reason: 'bubblewrap is not installed',
        install: 'apt-get install bubblewrap  (dnf, pacman and apk call it the same)',
      });
      expect(await createNoSandbox('no', 'get one').wrap(['ls'], { level, roots: ['/tmp'], env })).toEqual({
        type: 'unavailable',
        reason: 'no',
        install: 'get one',
      });
    },
  );

  test('a program that is there and does not work is refused', async () => {
    const wrapped = await createBubblewrap({ program: 'false' }).wrap(['ls'], {
      level: 'workspace',
      roots: ['/tmp'],
      env,
    });
    expect(wrapped.type).toBe('unavailable');
  });
});

describe.skipIf(!works)(`inside bubblewrap${why}`, () => {
  let root = '';
  const sandbox = createBubblewrap();
  beforeAll(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'rondo-sandbox-')));
    await mkdir(path.join(root, 'locked'));
    await mkdir(path.join(root, 'hidden'));
    await writeFile(path.join(root, 'hidden', 'key'), 'the key');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const run = async (
    code: string,
    request: Partial<SandboxRequest> = {},
  ): Promise<{ code: unknown; output: string }> => {
    const env = { PATH: process.env['PATH'] ?? '' };
    const wrapped = await sandbox.wrap(['bash', '--norc', '-c', code], {
      level: 'workspace-no-network',
      roots: [root],
      env,
      ...request,
    });
    if (wrapped.type === 'unavailable') throw new Error(wrapped.reason);
    const [program = '', ...args] = wrapped.argv;
    return new Promise((resolve) => {
      const child = execFile(program, args, { env: wrapped.env }, (error, stdout) =>
        resolve({ code: error?.code ?? 0, output: stdout }),
      );
      child.stdin?.end();
    });
  };

  test('it starts in the root and may write there', async () => {
    expect(await run('echo hello > made; pwd')).toEqual({ code: 0, output: `${root}\n` });
    expect(await readFile(path.join(root, 'made'), 'utf8')).toBe('hello\n');
  });

  test('the exit code comes through', async () => {
    expect(await run('exit 7')).toEqual({ code: 7, output: '' });
  });

  test.each([
    ['the system', 'touch /etc/x'],
    ['the home folder', 'touch ~/x || touch /root/x || touch /home/x'],
    ['a read-only folder in the root', 'touch locked/x'],
    ['a mount made writable again', 'mount -o remount,rw / && touch /etc/x'],
  ])('it may not write to %s [C53]', async (_name, code) => {
    expect(
      await run(`(${code}) 2>/dev/null && echo written || echo refused`, {
        readOnly: [path.join(root, 'locked')],
      }),
    ).toEqual({ code: 0, output: 'refused\n' });
  });

  test('what is hidden cannot be read, other processes cannot be seen, /run and /tmp are empty', async () => {
    const code =
      'cat hidden/key 2>/dev/null; ls /run; ls /tmp | grep -v rondo-sandbox; ls /proc | grep -c "^[0-9]" | { read n; [ "$n" -lt 10 ] && echo alone; }';
    expect(await run(code, { hidden: [path.join(root, 'hidden')] })).toEqual({ code: 0, output: 'alone\n' });
  });

  test('the network: all of it, listed hosts only, or none', async () => {
    const server = createServer((_request, response) => response.end('served\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const refused: string[] = [];
    const proxy = await createAllowListProxy({
      socket: path.join(root, 'proxy'),
      hosts: [`127.0.0.1:${port}`],
      onRefused: (host) => refused.push(host),
    });
    const here = `http://127.0.0.1:${port}/`;
    const connect = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected || echo none`;
    expect(await run(`(${connect}) 2>/dev/null`, { level: 'workspace' })).toEqual({
      code: 0,
      output: 'connected\n',
    });
    expect(await run(`(${connect}) 2>/dev/null`)).toEqual({ code: 0, output: 'none\n' });
    expect(
      await run(`(${connect}) 2>/dev/null; exit 5`, { level: 'workspace-allow-list', proxySocket: proxy.socket }),
    ).toEqual({ code: 5, output: 'none\n' });
    const through = (to: string) =>
      `exec 3<>/dev/tcp/127.0.0.1/18080; printf 'GET ${to} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&3; read -r first <&3; echo "$first"`;
    expect(await run(through(here), { level: 'workspace-allow-list', proxySocket: proxy.socket })).toEqual({
      code: 0,
      output: 'HTTP/1.1 200 OK\r\n',
    });
    expect(
      await run(through('http://127.0.0.1:1/'), { level: 'workspace-allow-list', proxySocket: proxy.socket }),
    ).toEqual({ code: 0, output: 'HTTP/1.1 403 Forbidden\r\n' });
    expect(refused).toEqual(['http://127.0.0.1:1/']);
    await proxy.close();
    server.close();
  }, 20_000);
});

test.each([
  ['example.com', 443, true],
  ['EXAMPLE.com.', 443, true],
  ['evil-example.com', 443, false],
  ['a.example.com', 443, false],
  ['a.b.example.org', 443, true],
  ['example.org', 443, false],
  ['only.net', 8080, true],
  ['only.net', 443, false],
  ['127.0.0.1', 80, false],
])('the allow list on %s:%i says %s', (host, port, expected) => {
  expect(isAllowedHost(host, port, ['example.com', '*.example.org', 'only.net:8080'])).toBe(expected);
});
