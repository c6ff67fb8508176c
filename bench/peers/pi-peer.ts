import path from 'node:path';

import type { TurnRuntime, TurnSession } from '../workload/turn-runtime.ts';
import { systemPrompt, toolDescription, toolName, userText, type TurnWork } from '../workload/turn-work.ts';
import { loadPackage } from './load-package.ts';
import { createPiStream, piModel, type PiStreams } from './pi-model.ts';

type Listener = (event: {
  readonly type?: string;
  readonly assistantMessageEvent?: { readonly type: string; readonly delta: string };
  readonly event?: { readonly type: string; readonly delta: string };
}) => void;

interface PiAgent {
  subscribe(listener: Listener): void;
  prompt(text: string): Promise<void>;
}
interface PiLane {
  prompt(text: string, options: undefined, context: unknown): Promise<unknown>;
  findEntries(
    query: undefined,
    context: unknown,
  ): Promise<readonly { readonly message?: PiMessage; readonly payload?: { readonly message?: PiMessage } }[]>;
}
export interface PiMessage {
  role: string;
  toolCallId?: string;
  content: { type: string; id?: string }[];
}
interface PiHarness {
  readonly events: { on(type: string, listener: Listener): void };
  lane(name: string, options: object, context: unknown): Promise<PiLane>;
  close(context: unknown): Promise<void>;
}
interface PiBranch {
  appendMessage(message: PiMessage, context: unknown): Promise<unknown>;
}
interface PiSession {
  branch(name: string, context: unknown): Promise<PiBranch>;
  close(context: unknown): Promise<void>;
}
interface PiRepo {
  create(options: object, context: unknown): Promise<PiSession>;
  list(query: undefined, context: unknown): Promise<readonly object[]>;
  open(listed: object, context: unknown): Promise<PiSession>;
  close(context: unknown): Promise<void>;
}
interface PiCore {
  Agent: new (options: object) => PiAgent;
  AgentHarness: { create(options: object, context: unknown): Promise<{ readonly harness: PiHarness }> };
  readonly BACKGROUND_CONTEXT: unknown;
}
interface PiAi extends PiStreams {
  createModels(): { setProvider(provider: object): void };
}
interface PiSqlite {
  SqliteSessionRepo: new (options: object) => PiRepo;
  createNodeSqliteFactory(): object;
}

/** The `Agent` of pi-agent-core, which keeps its conversation in memory. */
export async function createPiAgentRuntime(folder: string, work: TurnWork): Promise<TurnRuntime> {
  const { Agent } = await loadPackage<PiCore>(folder, '@earendil-works/pi-agent-core');
  const streamFn = createPiStream(await loadPackage<PiAi>(folder, '@earendil-works/pi-ai'), work);
  const initialState = () => ({
    systemPrompt,
    model: piModel,
    tools: [createTool(work)],
    messages: [],
  });
  return {
    openSession() {
      const agent = new Agent({ initialState: initialState(), streamFn });
      let onDelta: (delta: string) => void = () => undefined;
      let reply = '';
      agent.subscribe(({ type, assistantMessageEvent }) => {
        if (type !== 'message_update' || assistantMessageEvent?.type !== 'text_delta') return;
        reply += assistantMessageEvent.delta;
        onDelta(assistantMessageEvent.delta);
      });
      return Promise.resolve({
        async turn(text, listener) {
          onDelta = listener;
          reply = '';
          await agent.prompt(text);
          return reply;
        },
        close: () => Promise.resolve(),
      });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

export interface PiStore {
  /** A session with a separate file. */
  create(id: string): Promise<PiSession>;
  reopen(): Promise<PiSession>;
  drive(session: PiSession, isNew: boolean): Promise<{ readonly harness: PiHarness; readonly lane: PiLane }>;
  readonly context: unknown;
}

/** The durable `AgentHarness` on its SQLite backend. */
export async function openPiStore(folder: string, work: TurnWork, keptIn: string): Promise<PiStore> {
  const { AgentHarness, BACKGROUND_CONTEXT: context } = await loadPackage<PiCore>(
    folder,
    '@earendil-works/pi-agent-core',
  );
  const ai = await loadPackage<PiAi>(folder, '@earendil-works/pi-ai');
  const { SqliteSessionRepo, createNodeSqliteFactory } = await loadPackage<PiSqlite>(
    folder,
    '@earendil-works/pi-session-backend-sqlite-node',
  );
  const repo = new SqliteSessionRepo({
    directory: path.join(keptIn, 'sessions'),
    databaseFactory: createNodeSqliteFactory(),
  });
  const models = ai.createModels();
  const stream = createPiStream(ai, work);
  models.setProvider({
    id: 'bench',
    name: 'bench',
    auth: { apiKey: { name: 'none', resolve: () => Promise.resolve({ auth: { apiKey: 'none' } }) } },
    getModels: () => [piModel],
    stream,
    streamSimple: stream,
  });
  return {
    context,
    create: (id) => repo.create({ id, cwd: keptIn }, context),
    async reopen() {
      const [listed] = await repo.list(undefined, context);
      if (listed === undefined) throw new Error('pi lists no session.');
      return repo.open(listed, context);
    },
    async drive(session, isNew) {
      const { harness } = await AgentHarness.create(
        {
          session,
          models,
          model: piModel,
          tools: [createTool(work)],
          systemPrompt,
          compaction: { enabled: false, reserveTokens: 0, keepRecentTokens: 0 },
        },
        context,
      );
      return { harness, lane: await harness.lane('main', isNew ? { createAt: null } : {}, context) };
    },
  };
}

export async function createPiSqliteRuntime(folder: string, work: TurnWork, keptIn: string): Promise<TurnRuntime> {
  const store = await openPiStore(folder, work, keptIn);
  let sessions = 0;
  return {
    async openSession(): Promise<TurnSession> {
      sessions += 1;
      const { harness, lane } = await store.drive(await store.create(`session-${sessions}`), true);
      let onDelta: (delta: string) => void = () => undefined;
      let reply = '';
      harness.events.on('message_update', ({ event }) => {
        if (event?.type !== 'text_delta') return;
        reply += event.delta;
        onDelta(event.delta);
      });
      return {
        async turn(text, listener) {
          onDelta = listener;
          reply = '';
          await lane.prompt(text, undefined, store.context);
          return reply;
        },
        close: () => harness.close(store.context),
      };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A session of many turns: one is real, the others are copies of its four messages. */
export async function seedPiSession(store: PiStore, turns: number): Promise<void> {
  const { harness, lane } = await store.drive(await store.create('seeded'), true);
  await lane.prompt(userText, undefined, store.context);
  const entries = await lane.findEntries(undefined, store.context);
  const messages = entries
    .flatMap(({ message, payload }) => message ?? payload?.message ?? [])
    .filter(({ role }) => role !== 'system');
  if (messages.length !== 4) throw new Error(`pi kept ${messages.length} messages of a turn instead of 4.`);
  await harness.close(store.context);
  const session = await store.reopen();
  const branch = await session.branch('main', store.context);
  for (let turn = 1; turn < turns; turn += 1) {
    for (const message of messages) {
      const copy = structuredClone(message);
      if (copy.role === 'toolResult') copy.toolCallId = `call_seed_${turn}`;
      if (copy.role === 'assistant') {
        for (const part of copy.content) if (part.type === 'toolCall') part.id = `call_seed_${turn}`;
      }
      await branch.appendMessage(copy, store.context);
    }
  }
  await session.close(store.context);
}

function createTool(work: TurnWork): object {
  return {
    name: toolName,
    label: toolName,
    description: toolDescription,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    execute: () => Promise.resolve({ content: [{ type: 'text', text: work.runTool() }], details: {} }),
  };
}
