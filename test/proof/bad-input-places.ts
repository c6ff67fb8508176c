/**
 * Targets of malformed input: a server in a separate folder, a Rondo in memory, a tool server that answers
 * anything.
 */
import { createLocalClient } from '../../src/assembly/local-client.ts';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';

import { ndJsonStream } from '@agentclientprotocol/sdk';

import { createAgentApp } from '../../src/acp/agent/agent-app.ts';
import { createLineReader } from '../../src/acp/client/json-lines.ts';
import { createMemoryStore } from '../../src/journal/memory-store.ts';
import { createTestingModel } from '../../src/models/testing-model.ts';
import { createRondo, type Rondo } from '../../src/rondo.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { testTool } from '../../src/testing/test-tool.ts';
import { startTestServer } from '../process/server-setup.ts';
import { listenLocally } from '../fixtures/local-server.ts';

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json'?: { readonly schema: Readonly<Record<string, unknown>> } };
  };
}

/** Every call that the server lists. */
export function routesOf(document: unknown) {
  return Object.entries((document as OpenApi).paths).flatMap(([place, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      place,
      queries: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
      schema: requestBody?.content['application/json']?.schema,
    })),
  );
}

/** No delay for wrong secrets here: another test checks that guessing is slow. */
export async function startServedFolder() {
  const cwd = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-bad-http-')));
  const system = createSystemClock();
  const clock = {
    now: () => system.now(),
    ticks: () => system.ticks(),
    uptime: () => system.uptime(),
    at: (time: number, call: () => void) => system.at(time - system.now() <= 2000 ? system.now() : time, call),
  };
  const world = await startTestServer({ server: { cwd, clock, requestsPerSecond: 1_000_000 } });
  return {
    ...world,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await rm(cwd, { recursive: true });
    },
  };
}

export async function openTalkingRondo() {
  const store = createMemoryStore();
  const rondo: Rondo = await createRondo({
    store,
    agents: { testing: { model: 'testing' } },
    models: { testing: createTestingModel() },
    tools: [
      testTool('look', () => `seen ${'a long sight '.repeat(1000)}`),
      testTool('touch', () => 'touched', { access: 'write', repeat: 'never' }),
    ],
  });
  return { store, rondo, [Symbol.asyncDispose]: () => rondo.close() };
}

/** Rondo as the agent of an editor that sends anything. */
export async function openEditorSide() {
  const talking = await openTalkingRondo();
  const { rondo } = talking;
  const app = createAgentApp({
    version: '0',
    mayDecide: true,
    create: ({ cwd, by }) => rondo.sessions.create({ cwd, by }),
    get: async (id) => rondo.sessions.get(id),
    list: async () => rondo.sessions.list({ limit: 10 }),
    delete: async (id) => void (await rondo.sessions.delete(id)),
    fork: (id, by) => rondo.sessions.fork(id, { by }),
    choices: async () => ({ agents: [], models: [] }),
    client: (by) => createLocalClient({ rondo, catalog: {}, cwd: '.', by }),
    save: () => async () => 'nowhere',
    lend: () => [],
    lendBuffers: () => undefined,
    lendFolders: () => undefined,
    onProblem: () => undefined,
  });
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const fromAgent = new TransformStream<Uint8Array, Uint8Array>();
  const connection = app.connect(ndJsonStream(fromAgent.writable, toAgent.readable));
  const writer = toAgent.writable.getWriter();
  const waiting = new Map<unknown, () => void>();
  const lines = createLineReader(50_000_000, {
    line: (text) => waiting.get((JSON.parse(text) as { readonly id?: unknown }).id)?.(),
    overlong: () => undefined,
  });
  void (async () => {
    for await (const chunk of fromAgent.readable) lines.push(Buffer.from(chunk));
  })();
  let asked = 0;
  return {
    /** True if a valid request after the bytes is answered. */
    async survives(bytes: Buffer): Promise<boolean> {
      asked += 1;
      const id = `sound-${asked}`;
      const answered = new Promise<boolean>((resolve) => waiting.set(id, () => resolve(true)));
      const params = { protocolVersion: 1, clientCapabilities: {} };
      const sound = JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params });
      await writer.write(bytes);
      await writer.write(Buffer.from(`\n${sound}\n`));
      const late = new Promise<boolean>((resolve) => void setTimeout(() => resolve(false), 60_000).unref());
      return Promise.race([answered, connection.closed.then(() => false), late]);
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      await talking[Symbol.asyncDispose]();
    },
  };
}

/** An MCP server whose answer to a call comes from the proof. */
export async function serveMcp(next: () => { readonly result?: unknown; readonly text?: string }) {
  const server: HttpServer = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
        id?: number;
        method: string;
        params?: { protocolVersion?: string };
      };
      if (id === undefined) return response.writeHead(202).end();
      const { result, text } = next();
      const answers: Readonly<Record<string, unknown>> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'proof', version: '1' },
        },
        'tools/list': { tools: [{ name: 'any', inputSchema: { type: 'object' } }] },
        'tools/call': result,
        ping: {},
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      if (method === 'tools/call' && text !== undefined) return response.end(text);
      if (!Object.hasOwn(answers, method)) {
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
      }
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }));
    });
  });
  const listening = await listenLocally(server);
  return { ...listening, url: `${listening.url}/mcp` };
}
