/**
 * The Model port: streams a reply and settles once, whatever happens.
 *
 * 1. `call` settles exactly once and never rejects, except with a `Fault`.
 * 2. Deltas arrive in order and only before the settlement. Together they are its text.
 * 3. Once `signal` aborts, no further delta is sent, and the call soon settles as `cancelled`.
 * 4. It keeps no history: the request contains everything. The request is never changed.
 */
import type { BlobRef } from '../kernel/content.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { Message } from '../kernel/message.ts';
import type { Cancelled, Failed, TimedOut, Usage } from '../kernel/outcome.ts';
import type { ToolSpec } from './tool.ts';

/** A language model behind one call. Expected failures are results. It throws only a `Fault`. */
export interface Model {
  readonly name: string;
  /** Whose API serves it, by the OpenTelemetry conventions, such as `gcp.gemini`. Absent without a provider. */
  readonly provider?: string;
  /** Its context window in tokens, if known. */
  readonly contextTokens?: number;
  /**
   * The most that a call with these tokens costs, in US dollars. Undefined if the price is unknown. A model without
   * it reports a call's cost only afterwards, and Rondo then enforces a cost limit on the reported cost.
   */
  readonly cost?: (inputTokens: number, outputTokens: number) => number | undefined;
  call(request: ModelRequest, sink: ModelSink, signal: AbortSignal): Promise<ModelResult>;
}

/** A model request: the conversation and the tools that the model may call. */
export interface ModelRequest {
  readonly session: SessionId;
  readonly effect: EffectId;
  readonly attempt: number;
  /** The requester: if a provider's calls are capped, main work goes before workers. */
  readonly lane: 'main' | 'worker';
  /** `summary`: the last message asks for a summary of the previous ones. A rule-based model may build it by rule. */
  readonly purpose?: 'summary';
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly maxOutputTokens?: number;
  /** Reads content that is stored as a blob. */
  readonly read: (ref: BlobRef) => Promise<string>;
}

/** Receives a model's output while it streams. */
export interface ModelSink {
  text(delta: string): void;
  reasoning(delta: string): void;
  /** What the call is waiting for, as text for people: a retry, a fallback. */
  status(text: string): void;
}

/** How a call ended. Every expected ending is a value. */
export type ModelResult =
  | {
      readonly type: 'completed';
      readonly text: string;
      readonly reasoning?: string;
      readonly calls: readonly { readonly id: string; readonly tool: string; readonly args: string }[];
      readonly usage: Usage;
      readonly stop: 'end' | 'calls' | 'length' | 'refusal';
      readonly model?: string;
      /** Returned unchanged with the reply's message in later requests. */
      readonly carry?: unknown;
    }
  | (Failed & { readonly retryable: boolean; readonly retryAt?: number; readonly usage?: Usage })
  | (Cancelled & { readonly usage?: Usage })
  | (TimedOut & { readonly usage?: Usage });
