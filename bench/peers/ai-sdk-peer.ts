import type { TurnRuntime } from '../workload/turn-runtime.ts';
import { systemPrompt, toolDescription, toolName, type TurnWork } from '../workload/turn-work.ts';
import { createAiSdkModel } from './ai-sdk-model.ts';
import { loadPackage } from './load-package.ts';
import type { Zod } from './zod.ts';

interface Ai {
  streamText(options: object): {
    readonly textStream: AsyncIterable<string>;
    readonly response: PromiseLike<{ readonly messages: readonly object[] }>;
  };
  tool(options: object): object;
  isStepCount(count: number): unknown;
}

/** `streamText` with tools; the caller carries the conversation. */
export async function createAiSdkRuntime(folder: string, work: TurnWork): Promise<TurnRuntime> {
  const ai = await loadPackage<Ai>(folder, 'ai');
  const { z } = await loadPackage<Zod>(folder, 'zod');
  const model = createAiSdkModel(work, 'v4');
  const weather = ai.tool({
    description: toolDescription,
    inputSchema: z.object({ city: z.string() }),
    execute: () => Promise.resolve(work.runTool()),
  });
  return {
    openSession() {
      const messages: object[] = [];
      return Promise.resolve({
        async turn(text, onDelta) {
          messages.push({ role: 'user', content: text });
          const { textStream, response } = ai.streamText({
            model,
            instructions: systemPrompt,
            messages,
            tools: { [toolName]: weather },
            stopWhen: ai.isStepCount(10),
          });
          let reply = '';
          for await (const delta of textStream) {
            reply += delta;
            onDelta(delta);
          }
          messages.push(...(await response).messages);
          return reply;
        },
        close: () => Promise.resolve(),
      });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
