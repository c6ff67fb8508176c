// A real server on a free port of this machine, over a Rondo in memory with a scripted agent.
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

import { createMemoryStore } from '../../src/journal/memory-store.ts';
import { createTestingModel } from '../../src/models/testing-model.ts';
import type { ServerMessage } from '../../src/protocol/server-message.ts';
import { createRondo, type Rondo, type RondoOptions } from '../../src/rondo.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { startServer, type Server, type ServerOptions } from '../../src/server/server.ts';
import type { TokenFile } from '../../src/server/tokens.ts';
import { problemOfResponse, type OpenApi } from './documented-response.ts';
import { testTool } from '../../src/testing/test-tool.ts';

export const ownerToken = 'rondo_owner-of-this-test';

export interface TestServer extends AsyncDisposable {
  readonly rondo: Rondo;
  readonly server: Server;
  readonly logged: readonly string[];
  /** An API call, as the owner unless a token is given. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Called>;
  token(role: string, name?: string): Promise<string>;
  connect(options?: { readonly token?: string; readonly hello?: boolean }): Promise<TestSocket>;
}

interface CallOptions {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Called {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** Disposed of when the test ends, the newest first. */
export function kept<One extends AsyncDisposable | Disposable>(one: One): One {
  onTestFinished(() => (Symbol.asyncDispose in one ? one[Symbol.asyncDispose]() : one[Symbol.dispose]()));
  return one;
}

/** A server for the rest of the test. */
export async function start(...options: Parameters<typeof startTestServer>): Promise<TestServer> {
  return kept(await startTestServer(...options));
}

export const codeOf = ({ status, body }: Called) => `${status} ${String(body['code'])}`;
export const idOf = ({ body }: Called) => String(body['id']);

export async function startTestServer(
  options: { readonly rondo?: Partial<RondoOptions>; readonly server?: Partial<ServerOptions> } = {},
): Promise<TestServer> {
  const rondo = await createRondo({
    store: createMemoryStore(),
    agents: { testing: { model: 'testing' }, other: { model: 'testing' } },
    models: { testing: createTestingModel() },
    tools: [
      testTool('look', () => 'seen'),
      testTool('touch', () => 'touched', { access: 'write', repeat: 'never' }),
    ],
    ...options.rondo,
  });
  const logged: string[] = [];
  const server = await startServer({
    backend: rondo,
    tokens: { file: memoryFile(), owner: ownerToken },
    cwd: process.cwd(),
    host: '127.0.0.1',
    port: 0,
    clock: createSystemClock(),
    logger: { log: (level, message, fields) => void logged.push(`${level} ${message} ${JSON.stringify(fields)}`) },
    version: '0.0.0-test',
    ...options.server,
  });
  const sockets: TestSocket[] = [];
  let reading: Promise<OpenApi> | undefined;
  const readDocument = async () => (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as OpenApi;

  const call: TestServer['call'] = async (method, path, body, { token = ownerToken, headers = {} } = {}) => {
    const url =
      path.startsWith('/api') || !path.startsWith('/v') ? `${server.url}${path}` : `${server.url}/api${path}`;
    const answer = await fetch(url, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    const given = (isJson ? JSON.parse(text) : { text }) as Record<string, unknown>;
    if (answer.ok && isJson && url.includes('/api/v1/')) {
      const problem = problemOfResponse(
        await (reading ??= readDocument()),
        method,
        new URL(url).pathname.slice('/api/v1'.length),
        given,
      );
      if (problem !== undefined) throw new Error(`${method} ${path} answered against the document: ${problem}`);
    }
    return { status: answer.status, body: given, headers: answer.headers };
  };
  return {
    rondo,
    server,
    logged,
    call,
    async token(role, name = role) {
      const { body } = await call('POST', '/v1/tokens', { name, role });
      return String(body['token']);
    },
    async connect({ token = ownerToken, hello = true } = {}) {
      const socket = await openSocket(`${server.url.replace('http', 'ws')}/ws`);
      sockets.push(socket);
      if (hello) {
        socket.send({ v: 1, type: 'hello', token });
        await socket.next('welcome');
      }
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.ws.terminate();
      await server.close();
      await rondo.close();
    },
  };
}

export interface TestSocket {
  readonly ws: WebSocket;
  readonly received: readonly ServerMessage[];
  send(message: object | string | Buffer): void;
  /** The next unread message of the type. */
  next<Type extends ServerMessage['type']>(type: Type): Promise<Extract<ServerMessage, { type: Type }>>;
  /** Close code and reason. */
  readonly closed: Promise<readonly [number, string]>;
}

export async function openSocket(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestSocket> {
  const ws = new WebSocket(url, { headers });
  const received: ServerMessage[] = [];
  const taken = new Set<ServerMessage>();
  const waiting: (() => void)[] = [];
  ws.on('message', (data: Buffer) => {
    received.push(JSON.parse(data.toString('utf8')) as ServerMessage);
    for (const wake of waiting.splice(0)) wake();
  });
  const closed = new Promise<readonly [number, string]>((resolve) => {
    ws.on('close', (code, reason) => resolve([code, String(reason)]));
  });
  await new Promise((resolve, reject) => {
    ws.on('open', resolve);
    ws.on('error', reject);
  });
  return {
    ws,
    received,
    closed,
    send: (message) =>
      ws.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message)),
    async next(type) {
      for (;;) {
        const found = received.find((message) => message.type === type && !taken.has(message));
        if (found !== undefined) {
          taken.add(found);
          return found as never;
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

function memoryFile(): TokenFile {
  let value: unknown;
  return {
    read: async () => value,
    async update(change) {
      value = change(value);
    },
  };
}

export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
}
