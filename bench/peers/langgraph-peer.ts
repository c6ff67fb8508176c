import path from 'node:path';

import { optional } from '../../src/kernel/optional.ts';
import type { TurnRuntime } from '../workload/turn-runtime.ts';
import {
  systemPrompt,
  toolArguments,
  toolDescription,
  toolName,
  deltas,
  type TurnWork,
} from '../workload/turn-work.ts';
import { loadPackage } from './load-package.ts';
import type { Zod } from './zod.ts';

interface Message {
  readonly content: unknown;
  getType(): string;
}
type NewMessage = new (fields: unknown) => Message;
interface Messages {
  AIMessage: NewMessage;
  AIMessageChunk: NewMessage;
  HumanMessage: NewMessage;
  ToolMessage: NewMessage;
  isAIMessageChunk(message: Message): boolean;
}
interface Graph {
  stream(input: object, options: object): Promise<AsyncIterable<readonly [string, unknown]>>;
  updateState(config: object, values: object, asNode: string): Promise<unknown>;
  getState(config: object): Promise<{ readonly values: { readonly messages: readonly Message[] } }>;
}
interface RunManager {
  handleLLMNewToken(...given: readonly unknown[]): Promise<void>;
}

export interface LangGraph extends AsyncDisposable {
  readonly graph: Graph;
  readonly messages: Messages;
}

/**
 * `createReactAgent`. With a folder, conversations are in a SqliteSaver there that syncs each commit; with the address
 * of a server, in a PostgresSaver.
 */
export async function openLangGraph(
  folder: string,
  work: TurnWork,
  keptIn: string | undefined,
): Promise<LangGraph> {
  const messages = await loadPackage<Messages>(folder, '@langchain/core/messages');
  const { tool } = await loadPackage<{ tool(run: () => Promise<string>, options: object): object }>(
    folder,
    '@langchain/core/tools',
  );
  const { createReactAgent } = await loadPackage<{ createReactAgent(options: object): Graph }>(
    folder,
    '@langchain/langgraph/prebuilt',
  );
  const { z } = await loadPackage<Zod>(folder, 'zod');
  const saver = keptIn === undefined ? undefined : await openSaver(folder, keptIn);
  const weather = tool(() => Promise.resolve(work.runTool()), {
    name: toolName,
    description: toolDescription,
    schema: z.object({ city: z.string() }),
  });
  const graph = createReactAgent({
    llm: await createModel(folder, messages, work),
    tools: [weather],
    prompt: systemPrompt,
    ...optional({ checkpointSaver: saver?.saver }),
  });
  return {
    graph,
    messages,
    [Symbol.asyncDispose]() {
      return saver?.close() ?? Promise.resolve();
    },
  };
}

export async function createLangGraphRuntime(
  folder: string,
  work: TurnWork,
  keptIn: string | undefined,
): Promise<TurnRuntime> {
  const langGraph = await openLangGraph(folder, work, keptIn);
  const { HumanMessage, isAIMessageChunk } = langGraph.messages;
  const isKept = keptIn !== undefined;
  let threads = 0;
  return {
    openSession() {
      threads += 1;
      const config = { configurable: { thread_id: `thread-${threads}` }, recursionLimit: 25 };
      const streamMode = isKept ? ['messages'] : ['messages', 'values'];
      let history: readonly Message[] = [];
      return Promise.resolve({
        async turn(text, onDelta) {
          const prompt = new HumanMessage(text);
          const input = { messages: isKept ? [prompt] : [...history, prompt] };
          let reply = '';
          for await (const [kind, value] of await langGraph.graph.stream(input, { ...config, streamMode })) {
            if (kind === 'values') {
              history = (value as { readonly messages: readonly Message[] }).messages;
              continue;
            }
            const [message] = value as readonly [Message];
            if (!isAIMessageChunk(message) || typeof message.content !== 'string' || message.content === '')
              continue;
            reply += message.content;
            onDelta(message.content);
          }
          return reply;
        },
        close: () => Promise.resolve(),
      });
    },
    [Symbol.asyncDispose]: () => langGraph[Symbol.asyncDispose](),
  };
}

interface Database {
  pragma(text: string): unknown;
  close(): void;
}

interface OpenSaver {
  readonly saver: object;
  close(): Promise<void>;
}

interface PostgresSavers {
  readonly PostgresSaver: {
    fromConnString(address: string): { setup(): Promise<void>; end(): Promise<void> };
  };
}

async function openSaver(folder: string, keptIn: string): Promise<OpenSaver> {
  if (keptIn.startsWith('postgres:')) {
    const name = '@langchain/langgraph-checkpoint-postgres';
    const { PostgresSaver } = await loadPackage<PostgresSavers>(folder, name);
    const saver = PostgresSaver.fromConnString(keptIn);
    await saver.setup();
    return { saver, close: () => saver.end() };
  }
  const { default: Sqlite } = await loadPackage<{ default: new (file: string) => Database }>(
    folder,
    'better-sqlite3',
  );
  const { SqliteSaver } = await loadPackage<{ SqliteSaver: new (database: Database) => object }>(
    folder,
    '@langchain/langgraph-checkpoint-sqlite',
  );
  const database = new Sqlite(path.join(keptIn, 'langgraph.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  return {
    saver: new SqliteSaver(database),
    close() {
      database.close();
      return Promise.resolve();
    },
  };
}

async function createModel(folder: string, { AIMessageChunk }: Messages, work: TurnWork): Promise<object> {
  const { BaseChatModel } = await loadPackage<{ BaseChatModel: new (fields: object) => object }>(
    folder,
    '@langchain/core/language_models/chat_models',
  );
  const { ChatGenerationChunk } = await loadPackage<{ ChatGenerationChunk: new (fields: object) => object }>(
    folder,
    '@langchain/core/outputs',
  );
  class WorkModel extends BaseChatModel {
    _llmType(): string {
      return 'bench';
    }
    bindTools(): this {
      return this;
    }
    _generate(): Promise<never> {
      return Promise.reject(new Error('The work is streamed.'));
    }
    async *_streamResponseChunks(given: readonly Message[], _options: unknown, manager?: RunManager) {
      await work.modelAnswers();
      if (given.at(-1)?.getType() === 'human') {
        const call = {
          name: toolName,
          args: toolArguments,
          id: work.nextCallId(),
          index: 0,
          type: 'tool_call_chunk',
        };
        const message = new AIMessageChunk({ content: '', tool_call_chunks: [call] });
        yield new ChatGenerationChunk({ text: '', message });
        return;
      }
      for (const delta of deltas) {
        const chunk = new ChatGenerationChunk({ text: delta, message: new AIMessageChunk({ content: delta }) });
        yield chunk;
        await manager?.handleLLMNewToken(delta, undefined, undefined, undefined, undefined, { chunk });
      }
    }
  }
  return new WorkModel({});
}
