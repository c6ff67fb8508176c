import path from 'node:path';

import { optional } from '../../src/kernel/optional.ts';
import type { TurnRuntime } from '../workload/turn-runtime.ts';
import { systemPrompt, toolDescription, toolName, type TurnWork } from '../workload/turn-work.ts';
import { createAiSdkModel } from './ai-sdk-model.ts';
import { loadPackage } from './load-package.ts';
import type { Zod } from './zod.ts';

interface MastraAgent {
  stream(
    input: string | readonly object[],
    options: object,
  ): Promise<{
    readonly textStream: AsyncIterable<string>;
    readonly response: Promise<{ readonly messages?: readonly object[] }>;
    getFullOutput(): Promise<unknown>;
  }>;
}
export interface MastraMessage {
  id: string;
  createdAt: Date;
  content: { parts?: { toolInvocation?: { toolCallId: string } }[] };
}
interface MastraMemory {
  recall(query: object): Promise<{ readonly messages: readonly MastraMessage[] }>;
  saveMessages(given: { readonly messages: readonly MastraMessage[] }): Promise<unknown>;
}
interface Memory {
  Memory: new (options: object) => MastraMemory;
}
interface LibSql {
  LibSQLStore: new (options: object) => { init(): Promise<void> };
}

export interface Mastra {
  readonly agent: MastraAgent;
  readonly memory?: MastraMemory;
}

/** An agent without memory, or with LibSQL memory in a folder: whole threads are recalled. */
export async function openMastra(folder: string, work: TurnWork, keptIn: string | undefined): Promise<Mastra> {
  const { Agent } = await loadPackage<{ Agent: new (options: object) => MastraAgent }>(
    folder,
    '@mastra/core/agent',
  );
  const { createTool } = await loadPackage<{ createTool(options: object): object }>(folder, '@mastra/core/tools');
  const { z } = await loadPackage<Zod>(folder, 'zod');
  const weather = createTool({
    id: toolName,
    description: toolDescription,
    inputSchema: z.object({ city: z.string() }),
    execute: () => Promise.resolve(work.runTool()),
  });
  const memory = keptIn === undefined ? undefined : await openMemory(folder, keptIn);
  const agent = new Agent({
    id: 'bench',
    name: 'bench',
    instructions: systemPrompt,
    model: createAiSdkModel(work, 'v2'),
    tools: { [toolName]: weather },
    ...optional({ memory }),
  });
  return { agent, ...optional({ memory }) };
}

/** `agent.stream`; without memory the caller carries the conversation. */
export async function createMastraRuntime(
  folder: string,
  work: TurnWork,
  keptIn: string | undefined,
): Promise<TurnRuntime> {
  const { agent } = await openMastra(folder, work, keptIn);
  let threads = 0;
  return {
    openSession() {
      threads += 1;
      const thread = `thread-${threads}`;
      const messages: object[] = [];
      return Promise.resolve({
        async turn(text, onDelta) {
          messages.push({ role: 'user', content: text });
          const run = await (keptIn === undefined
            ? agent.stream(messages, { maxSteps: 10 })
            : agent.stream(text, { maxSteps: 10, memory: { thread, resource: 'bench' } }));
          let reply = '';
          for await (const delta of run.textStream) {
            reply += delta;
            onDelta(delta);
          }
          if (keptIn === undefined) messages.push(...((await run.response).messages ?? []));
          else await run.getFullOutput();
          return reply;
        },
        close: () => Promise.resolve(),
      });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function openMemory(folder: string, keptIn: string): Promise<MastraMemory> {
  const { Memory } = await loadPackage<Memory>(folder, '@mastra/memory');
  const { LibSQLStore } = await loadPackage<LibSql>(folder, '@mastra/libsql');
  const storage = new LibSQLStore({ id: 'bench', url: `file:${path.join(keptIn, 'mastra.db')}` });
  await storage.init();
  const options = {
    lastMessages: 1_000_000,
    semanticRecall: false,
    workingMemory: { enabled: false },
    generateTitle: false,
  };
  return new Memory({ storage, options });
}
