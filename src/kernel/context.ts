/**
 * Which part of the history a model sees: references to messages, never the messages themselves.
 *
 * 1. The context consists of the newest compaction, closed spans of journals, and this session's own journal from
 *    `from` on.
 * 2. Spans are referenced and never copied. A span may be in the journal of the session that this one was forked
 *    from.
 * 3. `tokens` is an estimate, corrected by the provider's count.
 */
import type { Body } from './content.ts';
import type { SessionId } from './ids.ts';
import type { Limits } from './limits.ts';

export interface Context {
  /** This session's own journal is in the context from this sequence on. */
  readonly from: number;
  readonly messages: number;
  /** Estimated tokens of those messages. */
  readonly tokens: number;
  /** Spans before `from`, oldest first. */
  readonly spans?: readonly Span[];
  /** The compaction before everything else. */
  readonly compaction?: CompactionRef;
  /** The context window of the model that answered last, if known. */
  readonly window?: number;
  /**
   * The provider's count of the last request: `input` covers everything sent. We had estimated its messages as
   * `estimate`, and the whole request, with system prompt and tools, as `sent` (unknown in older sessions).
   */
  readonly counted?: { readonly estimate: number; readonly input: number; readonly sent?: number };
}

/** Events `from` to `to` of a journal, inclusive. Without `session`, the session's own journal. */
export interface Span {
  readonly session?: SessionId;
  readonly from: number;
  readonly to: number;
}

/** Identifies a `compaction-settled` event. */
export interface CompactionRef {
  readonly session?: SessionId;
  readonly seq: number;
}

/** The context after a compaction. Messages and tokens include what replaces the older part. */
export interface Rest {
  readonly from: number;
  readonly spans?: readonly Span[];
  readonly messages: number;
  readonly tokens: number;
  /** Prompts of the running turn before `from`, by sequence: repeated word for word. */
  readonly restated?: readonly number[];
}

/** Extracted by rule and carried from one compaction to the next, so that no summary loses it. */
export interface KeptFacts {
  /** The user's constraints, in their words. */
  readonly constraints: readonly string[];
  /** Open tasks, in the words of the agent's notes and the user's lists. */
  readonly open: readonly string[];
  /** Files written, changed or deleted. */
  readonly files: readonly string[];
}

/** `asked`: requested. `full`: close to the model's window. */
export type CompactionReason = 'asked' | 'full';

export type SummaryOutcome =
  | {
      readonly type: 'completed';
      readonly summary: Body;
      readonly kept: KeptFacts;
      readonly rest: Rest;
    }
  /** With `rest`, the older part is omitted anyway, and a notice tells the model. */
  | { readonly type: 'failed'; readonly message: string; readonly rest?: Rest; readonly kept?: KeptFacts }
  /** A summary wouldn't shorten anything. */
  | { readonly type: 'unneeded'; readonly message: string }
  | { readonly type: 'cancelled'; readonly reason?: string };

export const newContext: Context = { from: 1, messages: 0, tokens: 0 };

/** Tokens of the next request: the provider's last count plus our estimate since. */
export function contextSize({ tokens, counted }: Context): number {
  if (counted === undefined) return tokens;
  return Math.max(0, counted.input + Math.ceil((tokens - counted.estimate) * tokenRatio({ counted })));
}

/** This model's tokens per estimated token, from the provider's last count. */
export function tokenRatio({ counted }: Pick<Context, 'counted'>): number {
  if (counted?.sent === undefined || counted.sent === 0) return 1;
  return Math.min(Math.max(counted.input / counted.sent, 1 / farthestRatio), farthestRatio);
}

/** Removes the count of another model's provider. */
export function uncounted(context: Context): Context {
  const { counted: _, ...rest } = context;
  return rest;
}

/** A larger ratio means that the provider counted something else, such as only uncached input. */
const farthestRatio = 4;

/** The context window: from the session's limits, or of the model that answered last. */
export function windowOf({ window }: Context, { contextTokens }: Limits): number | undefined {
  return contextTokens ?? window;
}

export function isContextFull(context: Context, limits: Limits): boolean {
  const window = windowOf(context, limits);
  return window !== undefined && contextSize(context) >= window * (limits.compactAt ?? defaultCompactAt);
}

const defaultCompactAt = 0.8;

/** The same context seen from another session: the origin's own journal becomes a span. */
export function contextFrom(
  origin: SessionId,
  { from, spans = [], compaction, ...rest }: Context,
  to: number,
): Context {
  const named = [...spans, ...(from <= to ? [{ from, to }] : [])].map((span) => ({ session: origin, ...span }));
  return {
    ...rest,
    from: 1,
    ...(named.length > 0 && { spans: named }),
    ...(compaction !== undefined && { compaction: { session: origin, ...compaction } }),
  };
}

/** The context at `to`, continued at `from`. Events in between are skipped and stay in the journal. */
export function contextAgain({ from: began, spans = [], ...rest }: Context, to: number, from: number): Context {
  const again = [...spans, ...(began <= to ? [{ from: began, to }] : [])];
  return { ...rest, from, ...(again.length > 0 && { spans: again }) };
}
