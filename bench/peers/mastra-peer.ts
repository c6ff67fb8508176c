import path from 'node:path';

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
interface Memory {
  Memory: new (options: object) => object;
}
interface LibSql {
  LibSQLStore: new (options: object) => { init(): Promise<void> };
}

/** `agent.stream`, with no memory or with a thread of its own memory on LibSQL, all of it recalled. */
export async function createMastraRuntime(
  folder: string,
  work: TurnWork,
  keptIn: string | undefined,
): Promise<TurnRuntime> {
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
  const agent = new Agent({
    id: 'bench',
    name: 'bench',
    instructions: systemPrompt,
    model: createAiSdkModel(work, 'v2'),
    tools: { [toolName]: weather },
    ...(keptIn !== undefined && { memory: await openMemory(folder, keptIn) }),
  });
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
          let said = '';
          for await (const delta of run.textStream) {
            said += delta;
            onDelta(delta);
          }
          if (keptIn === undefined) messages.push(...((await run.response).messages ?? []));
          else await run.getFullOutput();
          return said;
        },
        close: () => Promise.resolve(),
      });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function openMemory(folder: string, keptIn: string): Promise<object> {
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
