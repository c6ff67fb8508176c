/** Assembles a reply: takes parts, sends deltas to the sink, returns one result. */
import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';

import { optional } from '../kernel/optional.ts';
import type { ModelRequest, ModelResult, ModelSink } from '../ports/model.ts';
import type { BareResult } from './bare-model.ts';
import { createCarrying, type Carried } from './carried.ts';
import type { Price } from './prices.ts';
import { replyUsage, type ReplyText } from './usage.ts';

type Completed = Extract<ModelResult, { type: 'completed' }>;

export interface ReplyBuilder {
  readonly content: ReplyText;
  /** Whether the provider began to answer. */
  readonly begun: boolean;
  /** Throws if the provider reports an error in the stream. */
  take(part: LanguageModelV4StreamPart): void;
  /** Throws if the stream broke off. */
  end(finish: Finish): BareResult;
  whole(result: LanguageModelV4GenerateResult, finish: Finish): BareResult;
}

interface Finish {
  readonly request: ModelRequest;
  readonly price: Price | undefined;
  readonly endpoint: string;
  readonly asked: string;
}

export function createReply(sink: ModelSink, signal: AbortSignal): ReplyBuilder {
  const reply = { text: '', reasoning: '', calls: [] as Completed['calls'][number][] };
  const carrying = createCarrying();
  let begun = false;
  let answered: string | undefined;
  let ended: { readonly usage: LanguageModelV4Usage; readonly reason: LanguageModelV4FinishReason } | undefined;

  const text = (delta: string) => {
    if (delta === '' || signal.aborted) return;
    reply.text += delta;
    sink.text(delta);
  };
  const reasoning = (delta: string) => {
    if (delta === '' || signal.aborted) return;
    reply.reasoning += delta;
    sink.reasoning(delta);
  };
  const content = (part: LanguageModelV4Content) => {
    if (part.type === 'text') text(part.text);
    if (part.type === 'reasoning') {
      carrying.grew(`whole ${reply.reasoning.length}`, part.text.length, part.providerMetadata);
      reasoning(part.text);
    }
    if (part.type === 'tool-call' && part.providerExecuted !== true) {
      carrying.call(part.toolCallId, part.providerMetadata);
      reply.calls.push({ id: part.toolCallId, tool: part.toolName, args: part.input === '' ? '{}' : part.input });
    }
  };

  return {
    content: reply,
    get begun() {
      return begun;
    },
    take(part) {
      begun = true;
      if (part.type === 'text-delta') return text(part.delta);
      if (part.type === 'reasoning-start' || part.type === 'reasoning-end') {
        return carrying.block(part.id, part.providerMetadata);
      }
      if (part.type === 'reasoning-delta') {
        if (!signal.aborted) carrying.grew(part.id, part.delta.length, part.providerMetadata);
        return reasoning(part.delta);
      }
      if (part.type === 'tool-call') return content(part);
      if (part.type === 'response-metadata') answered = part.modelId ?? answered;
      if (part.type === 'finish') ended = { usage: part.usage, reason: part.finishReason };
      if (part.type === 'error') throw streamError(part.error);
    },
    end(finish) {
      if (ended === undefined) throw new Error('the stream broke off before the reply was complete');
      return settle(reply, ended, { ...finish, answered, carry: carrying.carried() });
    },
    whole(result, finish) {
      for (const part of result.content) content(part);
      const { usage, finishReason: reason, response } = result;
      return settle(
        reply,
        { usage, reason },
        { ...finish, answered: response?.modelId, carry: carrying.carried() },
      );
    },
  };
}

function settle(
  { text, reasoning, calls }: ReplyText & Pick<Completed, 'calls'>,
  { usage, reason }: { readonly usage: LanguageModelV4Usage; readonly reason: LanguageModelV4FinishReason },
  {
    request,
    price,
    endpoint,
    asked,
    answered,
    carry,
  }: Finish & {
    readonly answered: string | undefined;
    readonly carry: Carried | undefined;
  },
): BareResult {
  if (isBroken(reason)) {
    throw new Error(
      `the stream broke off before the reply was complete${reason.raw === undefined ? '' : ` (${reason.raw})`}`,
    );
  }
  return {
    type: 'completed',
    text,
    ...(reasoning !== '' && { reasoning }),
    calls: [...calls],
    usage: replyUsage(usage, request, { text, reasoning, calls }, price),
    stop: stopOf(reason.unified, calls.length),
    ...(answered !== undefined && answered !== '' && answered !== asked && { model: `${endpoint}/${answered}` }),
    ...optional({ carry }),
  };
}

/** Bedrock reports a truncated stream with the reason `other`. */
function isBroken({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return unified === 'error' || unified === 'interrupted' || (unified === 'other' && raw === undefined);
}

/** Some servers end a reply with tool calls with a plain `stop`. */
function stopOf(reason: LanguageModelV4FinishReason['unified'], calls: number): Completed['stop'] {
  if (reason === 'length') return 'length';
  if (reason === 'content-filter') return 'refusal';
  return calls > 0 ? 'calls' : 'end';
}

function streamError(error: unknown): Error {
  if (error instanceof Error) return error;
  const fields = typeof error === 'object' && error !== null ? error : { message: String(error) };
  return Object.assign(new Error('the provider reported an error'), fields);
}
