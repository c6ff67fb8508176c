/**
 * Session servers as programs, each with the same provider on this machine. npm installs those of others with exact
 * versions (`--peers`); their projects are as small as in their own guides.
 */
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';

import type { PeerPackages } from '../harness/install-peer.ts';
import { createAsking, type Ask } from './asking.ts';

export interface ServerProgram {
  readonly title: string;
  /** What npm installs, and under which name. Undefined for ours. */
  readonly peer?: PeerPackages & { readonly name: string };
  readonly files?: (place: ProgramPlace) => Readonly<Record<string, string>>;
  readonly command: (place: ProgramPlace) => readonly string[];
  readonly env?: (place: ProgramPlace) => Readonly<Record<string, string>>;
  /** Answers once the server is ready. */
  readonly ready: string;
  readonly client: (place: ProgramPlace) => ProgramClient;
}

export interface ProgramPlace {
  /** Its home and its project, with its packages in `node_modules`. */
  readonly folder: string;
  readonly port: number;
  /** The provider, without a path. */
  readonly provider: string;
}

export interface ProgramClient {
  create(): Promise<string>;
  /** Lists up to a thousand sessions and returns their number. */
  list(): Promise<number>;
  /** Sends one prompt and waits for its answer. */
  prompt(session: string): Promise<void>;
}

export const serverPrograms = {
  rondo: {
    title: 'rondo serve',
    command: ({ folder, port }) => [
      process.execPath,
      path.join(folder, 'package/bin/rondo.cjs'),
      'serve',
      '--port',
      String(port),
    ],
    env: ({ folder, provider }) => ({
      RONDO_HOME: path.join(folder, 'rondo-home'),
      OPENAI_BASE_URL: `${provider}/v1`,
      OPENAI_API_KEY: 'none',
      OPENAI_MODEL: 'fake',
      OLLAMA_HOST: '127.0.0.1:9',
    }),
    ready: '/healthz',
    client: rondoClient,
  },
  opencode: {
    title: 'opencode serve 1.18.33',
    peer: { name: 'opencode', packages: ['opencode-ai@1.18.33'] },
    files: ({ provider }) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'fake/fake',
        small_model: 'fake/fake',
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            name: 'fake',
            options: { baseURL: `${provider}/v1`, apiKey: 'none' },
            models: { fake: { name: 'fake', limit: { context: 1_000_000, output: 8192 } } },
          },
        },
      }),
    }),
    command: ({ folder, port }) => [
      path.join(folder, 'node_modules/.bin/opencode'),
      'serve',
      '--port',
      String(port),
      '--hostname',
      '127.0.0.1',
    ],
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    ready: '/global/health',
    client(place) {
      const ask = askingAt(place);
      return {
        create: async () => read<{ id: string }>(await ask('POST', '/session', {})).id,
        list: async () => read<unknown[]>(await ask('GET', '/session?limit=1000')).length,
        async prompt(session) {
          const model = { providerID: 'fake', modelID: 'fake' };
          checked(
            await ask('POST', `/session/${session}/message`, { model, parts: [{ type: 'text', text: 'go' }] }),
          );
        },
      };
    },
  },
  mastra: {
    title: 'Mastra server 1.71.0, LibSQL',
    peer: {
      name: 'mastra-server',
      packages: [
        '@mastra/core@1.71.0',
        '@mastra/hono@1.7.9',
        '@mastra/libsql@1.23.1',
        '@mastra/memory@1.31.0',
        '@ai-sdk/openai-compatible@3.0.90',
        '@hono/node-server@2.1.6',
        'hono@4.13.17',
        'zod@4.6.7',
      ],
    },
    files: () => ({ 'package.json': modulePackage, 'server.mjs': mastraServer }),
    command: ({ folder }) => [process.execPath, path.join(folder, 'server.mjs')],
    env: ({ folder, port, provider }) => ({
      PORT: String(port),
      PROVIDER: provider,
      STORE: `file:${path.join(folder, 'mastra.db')}`,
      MASTRA_TELEMETRY_DISABLED: '1',
    }),
    ready: '/api/agents',
    client(place) {
      const ask = askingAt(place);
      let made = 0;
      return {
        async create() {
          made += 1;
          const thread = { threadId: `thread-${made}`, resourceId: 'bench', title: 'New session' };
          return read<{ id: string }>(await ask('POST', '/api/memory/threads?agentId=agent', thread)).id;
        },
        list: async () =>
          read<{ threads: unknown[] }>(
            await ask('GET', '/api/memory/threads?agentId=agent&resourceId=bench&perPage=1000'),
          ).threads.length,
        async prompt(thread) {
          const memory = { thread, resource: 'bench' };
          const messages = [{ role: 'user', content: 'go' }];
          checked(await ask('POST', '/api/agents/agent/generate', { messages, memory }));
        },
      };
    },
  },
  langgraph: {
    title: 'LangGraph dev server 2.0.0, in memory',
    peer: {
      name: 'langgraph-server',
      packages: ['@langchain/langgraph-cli@2.0.0', '@langchain/langgraph@1.4.18', '@langchain/core@1.2.13'],
    },
    files: () => ({
      'package.json': modulePackage,
      'langgraph.json': JSON.stringify({ node_version: '20', graphs: { agent: './agent.mjs:graph' }, env: {} }),
      'agent.mjs': langGraphAgent,
    }),
    command: ({ folder, port }) => [
      path.join(folder, 'node_modules/.bin/langgraphjs'),
      'dev',
      '--no-browser',
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
    ],
    env: ({ provider }) => ({ PROVIDER: provider, LANGSMITH_TRACING: 'false', LANGGRAPH_CLI_NO_ANALYTICS: '1' }),
    ready: '/ok',
    client(place) {
      const ask = askingAt(place);
      return {
        create: async () => read<{ thread_id: string }>(await ask('POST', '/threads', {})).thread_id,
        list: async () => read<unknown[]>(await ask('POST', '/threads/search', { limit: 1000 })).length,
        async prompt(thread) {
          const input = { messages: [{ role: 'user', content: 'go' }] };
          checked(await ask('POST', `/threads/${thread}/runs/wait`, { assistant_id: 'agent', input }));
        },
      };
    },
  },
} as const satisfies Readonly<Record<string, ServerProgram>>;

export type ProgramName = keyof typeof serverPrograms;

/** The provider's answer to everything. */
export const answer = 'pong';

function rondoClient(place: ProgramPlace): ProgramClient {
  const token = readFileSync(path.join(place.folder, 'rondo-home/token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const ask = createAsking({ url: `http://127.0.0.1:${place.port}/api/v1`, headers });
  /** Follows until the turn is over, like any client. */
  const followed = (session: string, after: number) =>
    new Promise<string>((resolve, reject) => {
      const asking = get(
        `http://127.0.0.1:${place.port}/api/v1/sessions/${session}/events?after=${after}`,
        { headers: { ...headers, accept: 'text/event-stream' } },
        (events) => {
          let text = '';
          events.on('data', (chunk: Buffer) => {
            text += chunk.toString('utf8');
            if (!text.includes('"type":"turn-ended"')) return;
            resolve(text);
            asking.destroy();
          });
          events.on('error', () => undefined);
        },
      );
      asking.on('error', reject);
    });
  return {
    create: async () => read<{ id: string }>(await ask('POST', '/sessions', {})).id,
    list: async () => read<{ entries: unknown[] }>(await ask('GET', '/sessions?limit=1000')).entries.length,
    async prompt(session) {
      const { seq } = read<{ seq: number }>(
        await ask('POST', `/sessions/${session}/inputs`, { type: 'chat', text: 'go' }),
      );
      checked(await followed(session, seq));
    },
  };
}

function askingAt({ port }: ProgramPlace): Ask {
  return createAsking({ url: `http://127.0.0.1:${port}`, headers: {} });
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- an answer is what the server's interface says
function read<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}

function checked(text: string): void {
  if (!text.includes(answer)) throw new Error(`The answer is not there: ${text.slice(0, 300)}`);
}

const modulePackage = JSON.stringify({ private: true, type: 'module' });

const mastraServer = `
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { serve } from '@hono/node-server';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MastraServer } from '@mastra/hono';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { Hono } from 'hono';

const { PORT, PROVIDER, STORE } = process.env;
const storage = new LibSQLStore({ id: 'store', url: STORE });
const provider = createOpenAICompatible({ name: 'fake', baseURL: PROVIDER + '/v1', apiKey: 'none' });
const memory = new Memory({ storage });
const agent = new Agent({ id: 'agent', name: 'agent', instructions: 'Answer.', model: provider('fake'), memory });
const app = new Hono();
await new MastraServer({ app, mastra: new Mastra({ agents: { agent }, storage, logger: false }) }).init();
serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
`;

const langGraphAgent = `
import { AIMessage } from '@langchain/core/messages';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';

async function reply({ messages }) {
  const response = await fetch(process.env.PROVIDER + '/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify({ model: 'fake', messages: [{ role: 'user', content: String(messages.at(-1).content) }] }),
  });
  const { choices } = await response.json();
  return { messages: [new AIMessage(choices[0].message.content)] };
}

const graph = new StateGraph(MessagesAnnotation).addNode('reply', reply).addEdge('__start__', 'reply').compile();
`;
