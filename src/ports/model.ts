/**
 * The Model port: stream a reply, one settlement whatever happens.
 *
 * 1. `call` settles exactly once and never rejects, except with a `Fault`.
 * 2. Deltas arrive in order and only before the settlement; together they are its text.
 * 3. Once `signal` aborts, no further delta is sent and the settlement is `cancelled`, soon.
 * 4. It keeps no history: everything it knows is in the request. The request is never changed.
 */
import type { BlobRef } from '../kernel/content.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { Message } from '../kernel/message.ts';
import type { Cancelled, Failed, TimedOut, Usage } from '../kernel/outcome.ts';
import type { ToolSpec } from './tool.ts';

/** A language model behind one call. Expected failures are results; it throws only a `Fault`. */
export interface Model {
  readonly name: string;
  /** Its context window in tokens, where it is known. */
  readonly contextTokens?: number;
  /**
   * What a call of so many tokens costs at most, in US dollars; undefined where the price is unknown. A model without
   * it tells what a call cost only afterwards, and a limit on cost is then kept by what it told.
   */
  readonly cost?: (inputTokens: number, outputTokens: number) => number | undefined;
  call(request: ModelRequest, sink: ModelSink, signal: AbortSignal): Promise<ModelResult>;
}

/** What a model is asked: the conversation and the tools it may call. */
export interface ModelRequest {
  readonly session: SessionId;
  readonly effect: EffectId;
  readonly attempt: number;
  /** Who asks: main work is served before workers where a provider's calls are capped. */
  readonly lane: 'main' | 'worker';
  /** `summary`: the last message asks for a summary of those before it. A model that goes by rules may make it by rule. */
  readonly purpose?: 'summary';
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly maxOutputTokens?: number;
  /** Reads content that is kept as a blob. */
  readonly read: (ref: BlobRef) => Promise<string>;
}

/** Where a model says what it says, while it says it. */
export interface ModelSink {
  text(delta: string): void;
  reasoning(delta: string): void;
  /** What is being waited for, for people: a retry, a fallback. */
  status(text: string): void;
}

/** How a call ended; every expected ending is a value. */
export type ModelResult =
  | {
      readonly type: 'completed';
      readonly text: string;
      readonly reasoning?: string;
      readonly calls: readonly { readonly id: string; readonly tool: string; readonly args: string }[];
      readonly usage: Usage;
      readonly stop: 'end' | 'calls' | 'length' | 'refusal';
      readonly model?: string;
      /** Comes back with the reply's message in later requests, unchanged. */
      readonly carry?: unknown;
    }
  | (Failed & { readonly retryable: boolean; readonly retryAt?: number; readonly usage?: Usage })
  | (Cancelled & { readonly usage?: Usage })
  | (TimedOut & { readonly usage?: Usage });
