// The real server with the built web app, a separate project, and a scripted provider.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { startFakeProvider, type FakeProvider } from '../fixtures/fake-provider/fake-provider.ts';
import { memoryFolder } from '../fixtures/memory-folder.ts';
import { createRondoHome, rondoBinary } from '../fixtures/rondo-binary.ts';

export interface ServedApp extends AsyncDisposable {
  readonly url: string;
  readonly provider: FakeProvider;
  readonly project: string;
  /** An address that signs one browser in. */
  link(): Promise<string>;
  call<Value = Record<string, unknown>>(method: string, place: string, body?: unknown): Promise<Value>;
  create(options?: Record<string, unknown>): Promise<string>;
  chat(session: string, text: string): Promise<void>;
  readonly isRunning: boolean;
  /** Kills it without a clean shutdown. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

export interface ServeOptions {
  /** Files of the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** The user's configuration. */
  readonly config?: unknown;
  /** Fills the data folder before the server starts. */
  readonly prepare?: (data: string) => Promise<void>;
}

export async function serveApp(options: ServeOptions = {}): Promise<ServedApp> {
  const home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-web-')));
  const project = path.join(home, 'shop');
  await mkdir(project);
  for (const [file, text] of Object.entries(options.files ?? {})) {
    await mkdir(path.dirname(path.join(project, file)), { recursive: true });
    await writeFile(path.join(project, file), text);
  }
  const data = createRondoHome(path.join(home, 'data'));
  if (options.config !== undefined)
    await writeFile(path.join(data, 'config.json'), JSON.stringify(options.config));
  await options.prepare?.(data);
  const provider = await startFakeProvider({ models: ['gpt-test'] });
  let child: ChildProcess | undefined;
  let port = '0';
  let url = '';
  let printed = '';

  async function start(): Promise<void> {
    const started = spawn(process.execPath, [rondoBinary, 'serve', '--port', port], {
      cwd: project,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        // Each look at a repository creates and deletes a folder there. Where many files come and go, that is a
        // third of a test's time.
        TMPDIR: memoryFolder() ?? os.tmpdir(),
        RONDO_HOME: data,
        OPENAI_API_KEY: 'test',
        OPENAI_BASE_URL: `${provider.url}/v1`,
        OLLAMA_HOST: '127.0.0.1:9',
        // Elsewhere a sandbox that is installed would answer what these tests ask about.
        RONDO_BWRAP: 'none',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    printed = '';
    let said = '';
    started.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    started.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    while (!printed.includes('#token=')) {
      if (started.exitCode !== null) throw new Error(`rondo serve ended: ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    [, url = ''] = /Rondo is at (\S+)\/#token=/.exec(printed) ?? [];
    ({ port } = new URL(url));
  }
  const living = () => (child?.exitCode === null && child.signalCode === null ? child : undefined);
  async function kill(): Promise<void> {
    const running = living();
    if (running === undefined) return;
    running.kill('SIGKILL');
    await once(running, 'close');
  }
  async function call<Value>(method: string, place: string, body?: unknown): Promise<Value> {
    const token = (await readFile(path.join(data, 'token'), 'utf8')).trim();
    const answer = await fetch(`${url}/api/v1${place}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${place}: ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Value;
  }
  await start();
  return {
    get url() {
      return url;
    },
    get isRunning() {
      return living() !== undefined;
    },
    provider,
    project,
    async link() {
      const { code } = await call<{ code: string }>('POST', '/login-codes');
      return `${url}/#token=${code}`;
    },
    call,
    create: async (wanted = {}) => (await call<{ id: string }>('POST', '/sessions', wanted)).id,
    chat: (session, text) => call('POST', `/sessions/${session}/inputs`, { type: 'chat', text }),
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill();
      await provider.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
