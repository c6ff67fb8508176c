/** The real `rondo serve` with a separate home, which can be killed and restarted on the same port. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { ProcessFigures } from './preload.ts';
import { createRondoHome, rondoBinary } from '../fixtures/rondo-binary.ts';

const preload = path.join(import.meta.dirname, 'preload.ts');

export interface ServedRondo extends AsyncDisposable {
  readonly home: string;
  readonly port: number;
  readonly token: string;
  readonly starts: number;
  /** Its output since it was last started. */
  readonly log: () => string;
  /** Kills the process at once. */
  kill(): Promise<void>;
  /** Starts another on the same port if none runs. */
  restart(): Promise<void>;
  killAndRestart(): Promise<void>;
  /** Stops it (SIGSTOP) and continues it (SIGCONT) after this many milliseconds. */
  suspend(ms: number): Promise<void>;
  /** Shuts it down as an operator does and returns the exit code. */
  terminate(): Promise<number | null>;
  /** Current figures, after a garbage collection. Undefined if it just ended. */
  figures(): Promise<(ProcessFigures & { readonly pid: number }) | undefined>;
  /** Runs another command on the same home. Rejects with its output if it fails. */
  command(...words: readonly string[]): Promise<void>;
  /** Starts another command and leaves it running, at most until the server is killed. */
  start(...words: readonly string[]): ChildProcess;
  get<Body>(place: string): Promise<Body>;
  post<Body>(place: string, body: unknown): Promise<Body>;
  delete(place: string): Promise<void>;
}

export interface ServeSetting {
  readonly options?: readonly string[];
  /** Content of the `config.json` in its home. */
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the built one. */
  readonly binary?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** The owner's token (default: a new one). */
  readonly token?: string;
  /** Working directory (default: its home). */
  readonly cwd?: string;
}

export async function serveRondo({
  options = [],
  config = {},
  env: more = {},
  binary = rondoBinary,
  port: wantedPort = 0,
  token: wantedToken,
  cwd: wantedCwd,
}: ServeSetting = {}): Promise<ServedRondo> {
  const home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-proof-')));
  let child: ChildProcess | undefined;
  const cwd = wantedCwd ?? home;
  let port = wantedPort;
  let starts = 0;
  let said = '';
  const beside = new Set<ChildProcess>();
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    RONDO_HOME: createRondoHome(path.join(home, 'data'), 'with-gc'),
    NO_COLOR: '1',
    // Otherwise each start compiles the preload again, which takes half as long as the command's own start.
    NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../.cache/compile'),
    // Effects are counted outside of any sandbox.
    RONDO_BWRAP: 'none',
    ...more,
  };
  await writeFile(path.join(env.RONDO_HOME, 'config.json'), JSON.stringify(config));
  if (wantedToken !== undefined) {
    await writeFile(path.join(env.RONDO_HOME, 'token'), `${wantedToken}\n`, { mode: 0o600 });
  }

  async function start(): Promise<void> {
    starts += 1;
    const started = spawn(
      process.execPath,
      ['--expose-gc', '--import', preload, binary, 'serve', '--port', String(port), ...options],
      { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    );
    child = started;
    said = '';
    const hear = (chunk: Buffer) => (said += chunk.toString().slice(0, Math.max(0, 100_000 - said.length)));
    started.stdout?.on('data', hear);
    started.stderr?.on('data', hear);
    while (!said.includes('#token=')) {
      if (started.exitCode !== null || started.signalCode !== null)
        throw new Error(`rondo serve ended with ${started.exitCode}: ${said}`);
      await sleep(10);
    }
    port = Number(/^Rondo is at http:\/\/127\.0\.0\.1:(\d+)/m.exec(said)?.[1]);
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const running = child;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null)
      return running?.exitCode ?? null;
    const closed = once(running, 'close') as Promise<[number | null]>;
    running.kill(signal);
    return (await closed)[0];
  }

  async function call<Body>(method: string, place: string, body?: unknown): Promise<Body> {
    const answer = await reached(method, () =>
      fetch(`http://127.0.0.1:${port}/api/v1${place}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
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
    log: () => said,
    async kill() {
      await end('SIGKILL');
    },
    restart: start,
    async killAndRestart() {
      await end('SIGKILL');
      await start();
    },
    async suspend(ms) {
      child?.kill('SIGSTOP');
      await sleep(ms);
      child?.kill('SIGCONT');
    },
    terminate: () => end('SIGTERM'),
    figures() {
      const running = child;
      if (running?.connected !== true) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const told = (figures: unknown) => answer({ ...(figures as ProcessFigures), pid: running.pid ?? 0 });
        const gone = () => answer(undefined);
        const answer = (value: Parameters<typeof resolve>[0]) => {
          running.off('message', told).off('exit', gone);
          resolve(value);
        };
        running.once('message', told).once('exit', gone);
        running.send('figures', (error) => {
          if (error !== null) gone();
        });
      });
    },
    async command(...words) {
      await promisify(execFile)(process.execPath, ['--import', preload, rondoBinary, ...words], {
        cwd: home,
        env,
      });
    },
    start(...words) {
      const started = spawn(process.execPath, ['--import', preload, rondoBinary, ...words], { cwd: home, env });
      beside.add(started);
      started.on('close', () => beside.delete(started));
      return started;
    },
    get: (place) => call('GET', place),
    post: (place, body) => call('POST', place, body),
    delete: (place) => call('DELETE', place),
    async [Symbol.asyncDispose]() {
      for (const started of beside) started.kill('SIGKILL');
      await end('SIGKILL');
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A kept-alive connection may close just as it is reused, so repeatable requests are retried. */
async function reached(method: string, call: () => Promise<Response>): Promise<Response> {
  for (let left = 100; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (method === 'POST' || left === 0) throw error;
      await sleep(50);
    }
  }
}
