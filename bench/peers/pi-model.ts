import { deltas, toolArguments, toolName, type TurnWork } from '../workload/turn-work.ts';

/** The standard model in pi's format. */
export const piModel = {
  id: 'bench',
  name: 'bench',
  api: 'bench',
  provider: 'bench',
  baseUrl: 'http://127.0.0.1',
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000_000,
  maxTokens: 8192,
} as const;

interface PiStream {
  push(event: object): void;
  end(): void;
}
export interface PiStreams {
  createAssistantMessageEventStream(): PiStream;
}

/** pi calls this for an answer: a stream that is filled as the answer arrives. */
export function createPiStream(
  { createAssistantMessageEventStream }: PiStreams,
  work: TurnWork,
): (model: unknown, context: { readonly messages: readonly { readonly role: string }[] }) => PiStream {
  return (_model, { messages }) => {
    const stream = createAssistantMessageEventStream();
    const isFirst = messages.at(-1)?.role === 'user';
    const answer = () => (isFirst ? askForTool(stream, work) : speak(stream));
    const waits = work.modelAnswers();
    if (waits === undefined) queueMicrotask(answer);
    else void waits.then(answer);
    return stream;
  };
}

function newMessage(content: readonly object[], stopReason: string): object {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 100, output: 40, cacheRead: 0, cacheWrite: 0, totalTokens: 140, cost };
  const { api, provider, id: model } = piModel;
  return { role: 'assistant', content, api, provider, model, usage, stopReason, timestamp: Date.now() };
}

function askForTool(stream: PiStream, work: TurnWork): void {
  const toolCall = {
    type: 'toolCall',
    id: work.nextCallId(),
    name: toolName,
    arguments: JSON.parse(toolArguments) as object,
  };
  const partial = newMessage([toolCall], 'toolUse');
  stream.push({ type: 'start', partial });
  stream.push({ type: 'toolcall_start', contentIndex: 0, partial });
  stream.push({ type: 'toolcall_delta', contentIndex: 0, delta: toolArguments, partial });
  stream.push({ type: 'toolcall_end', contentIndex: 0, toolCall, partial });
  stream.push({ type: 'done', reason: 'toolUse', message: partial });
  stream.end();
}

function speak(stream: PiStream): void {
  const part = { type: 'text', text: '' };
  const partial = newMessage([part], 'stop');
  stream.push({ type: 'start', partial });
  stream.push({ type: 'text_start', contentIndex: 0, partial });
  for (const delta of deltas) {
    part.text += delta;
    stream.push({ type: 'text_delta', contentIndex: 0, delta, partial });
  }
  stream.push({ type: 'text_end', contentIndex: 0, content: part.text, partial });
  stream.push({ type: 'done', reason: 'stop', message: partial });
  stream.end();
}
