/** The standard model by the AI SDK's specification, for `ai` and for Mastra. */
import { ReadableStream } from 'node:stream/web';

import { deltas, toolArguments, toolName, type TurnWork } from '../workload/turn-work.ts';

/** Each version of the specification reports finish reasons and usage differently. */
export function createAiSdkModel(work: TurnWork, specificationVersion: 'v2' | 'v4'): object {
  const usage =
    specificationVersion === 'v2'
      ? { inputTokens: 100, outputTokens: 40, totalTokens: 140 }
      : {
          inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 40, text: 40, reasoning: 0 },
        };
  const finish = (reason: string) => ({
    type: 'finish',
    finishReason: specificationVersion === 'v2' ? reason : { unified: reason, raw: reason },
    usage,
  });
  const toolCall = (id: string) => [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: toolArguments },
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName, input: toolArguments },
    finish('tool-calls'),
  ];
  const answer = () => [
    { type: 'text-start', id: 'text' },
    ...deltas.map((delta) => ({ type: 'text-delta', id: 'text', delta })),
    { type: 'text-end', id: 'text' },
    finish('stop'),
  ];
  return {
    specificationVersion,
    provider: 'bench',
    modelId: 'bench',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('The work is streamed.')),
    async doStream({ prompt }: { readonly prompt: readonly { readonly role: string }[] }) {
      await work.modelAnswers();
      const parts = prompt.at(-1)?.role === 'user' ? toolCall(work.nextCallId()) : answer();
      return { stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...parts]) };
    },
  };
}
