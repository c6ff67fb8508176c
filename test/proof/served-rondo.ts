/** The real `rondo serve`, in a home of its own, that can be killed and started again on the same port. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const binary = path.resolve(import.meta.dirname, '../../bin/rondo.cjs');

export interface ServedRondo extends AsyncDisposable {
  readonly home: string;
  readonly port: number;
  readonly token: string;
  readonly starts: number;
  /** Ends the process at once, and starts another. */
  killAndRestart(): Promise<void>;
  /** Ends it as an operator does; the exit code. */
  terminate(): Promise<number | null>;
  get<Body>(place: string): Promise<Body>;
  post<Body>(place: string, body: unknown): Promise<Body>;
}

export async function serveRondo(options: readonly string[] = []): Promise<ServedRondo> {
  const home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-proof-')));
  let child: ChildProcess | undefined;
  let port = 0;
  let starts = 0;

  async function start(): Promise<void> {
    starts += 1;
    const started = spawn(process.execPath, [binary, 'serve', '--port', String(port), ...options], {
      cwd: home,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, RONDO_HOME: path.join(home, 'data'), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    let said = '';
    started.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    started.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    while (!said.includes('#token=')) {
      if (started.exitCode !== null) throw new Error(`rondo serve ended with ${started.exitCode}: ${said}`);
      await sleep(10);
    }
    port = Number(/^Rondo is at http:\/\/127\.0\.0\.1:(\d+)/m.exec(said)?.[1]);
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const running = child;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return null;
    const closed = once(running, 'close') as Promise<[number | null]>;
    running.kill(signal);
    return (await closed)[0];
  }

  async function call<Body>(method: string, place: string, body?: unknown): Promise<Body> {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${place}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${place}: ${answer.status} ${text}`);
    return JSON.parse(text) as Body;
  }

  await start();
  const token = readFileSync(path.join(home, 'data/token'), 'utf8').trim();
  return {
    home,
    token,
    get port() {
      return port;
    },
    get starts() {
      return starts;
    },
    async killAndRestart() {
      await end('SIGKILL');
      await start();
    },
    terminate: () => end('SIGTERM'),
    get: (place) => call('GET', place),
    post: (place, body) => call('POST', place, body),
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
