import type { TurnRuntime } from '../workload/turn-runtime.ts';
import {
  deltas,
  finalText,
  systemPrompt,
  toolArguments,
  toolDescription,
  toolName,
  type TurnWork,
} from '../workload/turn-work.ts';
import { loadPackage } from './load-package.ts';
import type { Zod } from './zod.ts';

interface Agents {
  Agent: new (options: object) => object;
  Runner: new (options: object) => { run(agent: object, input: readonly object[], options: object): Promise<Run> };
  MemorySession: new () => object;
  tool(options: object): object;
  setTracingDisabled(isDisabled: boolean): void;
}

interface Run extends AsyncIterable<{
  readonly type: string;
  readonly data: { readonly type: string; readonly delta: string };
}> {
  readonly completed: Promise<void>;
}

/** `Runner.run` with streaming and a session that keeps the conversation in memory. */
export async function createOpenaiAgentsRuntime(folder: string, work: TurnWork): Promise<TurnRuntime> {
  const agents = await loadPackage<Agents>(folder, '@openai/agents');
  const { z } = await loadPackage<Zod>(folder, 'zod');
  agents.setTracingDisabled(true);
  const weather = agents.tool({
    name: toolName,
    description: toolDescription,
    parameters: z.object({ city: z.string() }),
    execute: () => Promise.resolve(work.runTool()),
  });
  const agent = new agents.Agent({
    name: 'bench',
    instructions: systemPrompt,
    model: createModel(work),
    tools: [weather],
  });
  const runner = new agents.Runner({ tracingDisabled: true });
  return {
    openSession() {
      const session = new agents.MemorySession();
      const sessionInputCallback = (history: readonly object[], added: readonly object[]) => [
        ...history,
        ...added,
      ];
      return Promise.resolve({
        async turn(text, onDelta) {
          const prompt = { role: 'user', content: text };
          const run = await runner.run(agent, [prompt], { stream: true, session, sessionInputCallback });
          let reply = '';
          for await (const { type, data } of run) {
            if (type !== 'raw_model_stream_event' || data.type !== 'output_text_delta') continue;
            reply += data.delta;
            onDelta(data.delta);
          }
          await run.completed;
          return reply;
        },
        close: () => Promise.resolve(),
      });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function createModel(work: TurnWork): object {
  const usage = { requests: 1, inputTokens: 100, outputTokens: 40, totalTokens: 140 };
  let responses = 0;
  return {
    getResponse: () => Promise.reject(new Error('The work is streamed.')),
    async *getStreamedResponse({ input }: { readonly input: string | readonly { readonly role?: string }[] }) {
      await work.modelAnswers();
      responses += 1;
      yield { type: 'response_started' };
      const isFirst = typeof input === 'string' || input.at(-1)?.role === 'user';
      if (!isFirst) for (const delta of deltas) yield { type: 'output_text_delta', delta };
      const output = isFirst
        ? {
            type: 'function_call',
            id: `call_item_${responses}`,
            callId: work.nextCallId(),
            name: toolName,
            status: 'completed',
            arguments: toolArguments,
          }
        : {
            type: 'message',
            id: `message_${responses}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: finalText }],
          };
      yield { type: 'response_done', response: { id: `response_${responses}`, usage, output: [output] } };
    },
  };
}
