/**
 * Tries to escape from the sandbox, with the same arguments that commands get. Partial confinement counts as
 * failure.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import type { Sandbox } from './sandbox.ts';
import { missingOn } from './sandbox-platform.ts';

/** Returns why the sandbox can't be trusted here. Undefined if it can. */
export async function probeSandbox(program: string, wrap: Sandbox['wrap']): Promise<string | undefined> {
  const missing = missingOn(process.platform);
  if (missing !== undefined) return missing;
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-probe-')));
  const root = path.join(folder, 'root');
  const outside = path.join(folder, 'outside');
  const rondoHome = path.join(root, 'rondo-home');
  const servers: Server[] = [];
  try {
    await mkdir(path.join(root, '.git'), { recursive: true });
    await mkdir(outside);
    await mkdir(rondoHome);
    await writeFile(path.join(outside, 'secret'), 'secret');
    await writeFile(path.join(rondoHome, 'token'), 'token');
    const port = await listening(servers, { port: 0, host: '127.0.0.1' });
    const socket = path.join(outside, 'socket');
    await listening(servers, { path: socket });
    const abstract = `\0rondo-probe-${process.pid}`;
    await listening(servers, { path: abstract });
    const facts = {
      root,
      outside,
      token: path.join(rondoHome, 'token'),
      port,
      socket,
      abstract,
      pid: process.pid,
      started: (await readFile('/proc/self/stat', 'utf8')).split(') ').at(-1)?.split(' ')[19],
    };
    const wrapped = await wrap([process.execPath, '-e', ESCAPES, JSON.stringify(facts)], {
      level: 'workspace-no-network',
      roots: [root],
      hidden: [rondoHome],
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? os.homedir() },
    });
    if (wrapped.type === 'unavailable') return wrapped.reason;
    return await tryIt(program, wrapped.argv, wrapped.env);
  } catch (error) {
    return `the sandbox check failed: ${(error as Error).message}`;
  } finally {
    for (const server of servers) server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function listening(servers: Server[], where: { port?: number; host?: string; path?: string }): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  servers.push(server);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(where, () => resolve(where.path === undefined ? (server.address() as AddressInfo).port : 0));
  return promise;
}

function tryIt(
  program: string,
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { env, timeout: 15_000 }, (error, stdout, stderr) => {
      if (stdout === 'confined\n') resolve(undefined);
      else if (stdout !== '')
        resolve(`bubblewrap doesn't confine commands here: ${stdout.trim().split('\n').join(', ')}`);
      else if (error !== null && 'code' in error && error.code === 'ENOENT')
        resolve('bubblewrap is not installed');
      else if (/Unknown option/i.test(stderr)) resolve(`${program} is too old: version 0.8 or later is required`);
      else
        resolve(`bubblewrap does not work here: ${stderr.trim().split('\n')[0] ?? 'it exited without a message'}`);
    });
  });
}

// Prints the escapes that succeeded, or `confined`. It works only in folders created for it, so that a failed
// sandbox does no harm. Opening a file to append writes nothing.
const ESCAPES = `
const fs = require('node:fs'), net = require('node:net'), path = require('node:path');
const { root, outside, token, port, socket, abstract, pid, started } = JSON.parse(process.argv[1]);
const startOf = (one) => fs.readFileSync('/proc/' + one + '/stat', 'utf8').split(') ').at(-1).split(' ')[19];
const done = [];
const attempt = (name, act) => { try { act(); done.push(name); } catch {} };
attempt('files outside are writable', () => fs.writeFileSync(path.join(outside, 'written'), ''));
attempt('files outside are readable', () => fs.readFileSync(path.join(outside, 'secret')));
attempt('the system is writable', () => { fs.closeSync(fs.openSync('/etc/rondo-probe', 'a')); fs.rmSync('/etc/rondo-probe'); });
attempt('.git can be moved', () => fs.renameSync(path.join(root, '.git'), path.join(root, 'moved')));
attempt('.git is writable', () => fs.writeFileSync(path.join(root, '.git', 'written'), ''));
attempt('the state of Rondo is readable', () => fs.readFileSync(token));
attempt('/proc/sys is writable', () => fs.closeSync(fs.openSync('/proc/sys/kernel/core_pattern', 'a')));
attempt('processes of the host are visible', () => { if (startOf(pid) !== started) throw 0; });
try { fs.writeFileSync(path.join(root, 'allowed'), ''); } catch { done.push('the root is not writable'); }
const reach = (name, where) => new Promise((resolve) => {
  const one = net.connect(where);
  one.once('connect', () => { done.push(name); one.destroy(); resolve(); });
  one.once('error', resolve);
  setTimeout(() => { one.destroy(); resolve(); }, 2000).unref();
});
Promise.all([
  reach('the loopback network is reachable', { port, host: '127.0.0.1' }),
  reach('sockets of the host are reachable', { path: socket }),
  reach('abstract sockets of the host are reachable', { path: abstract }),
]).then(() => { console.log(done.length === 0 ? 'confined' : done.join('\\n')); process.exit(0); });
`;
