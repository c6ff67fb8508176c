/**
 * What of the history a model is told: never the messages themselves, only where they stand.
 *
 * 1. The context is: what the newest compaction left in place of all before it, then closed stretches of
 *    journals, then this session's own journal from `from` on.
 * 2. Stretches are referred to and never copied; one may lie in the journal of the session this was forked from.
 * 3. `tokens` is an estimate that the provider's own count corrects, where it gives one.
 */
import type { Body } from './content.ts';
import type { SessionId } from './ids.ts';
import type { Limits } from './limits.ts';

export interface Context {
  /** This session's own journal is part of the context from this sequence on. */
  readonly from: number;
  readonly messages: number;
  /** Estimated tokens of those messages. */
  readonly tokens: number;
  /** Stretches that come before `from`, oldest first; absent where there are none. */
  readonly spans?: readonly Span[];
  /** The compaction that stands before everything else. */
  readonly compaction?: CompactionRef;
  /** The window of the model that answered last, in tokens, where it is known. */
  readonly window?: number;
  /**
   * What the provider counted for the last request: `input` of all that was sent. We had estimated its messages as
   * `estimate`, and all of it, with system prompt and tools, as `sent`; that is not known of older sessions.
   */
  readonly counted?: { readonly estimate: number; readonly input: number; readonly sent?: number };
}

/** Events `from` to `to` of a journal, both included. Without `session` it is the session's own. */
export interface Span {
  readonly session?: SessionId;
  readonly from: number;
  readonly to: number;
}

/** Names a `compaction-settled` event. */
export interface CompactionRef {
  readonly session?: SessionId;
  readonly seq: number;
}

/** What is left of the context behind a compaction. Messages and tokens count what takes the place of the older part. */
export interface Rest {
  readonly from: number;
  readonly spans?: readonly Span[];
  readonly messages: number;
  readonly tokens: number;
  /** Prompts of the running turn that stand before `from`, by sequence: told again word for word. */
  readonly restated?: readonly number[];
}

/** Worked out by rule and carried from one compaction to the next, so that no summary can lose it. */
export interface KeptFacts {
  /** What the user asked to be heeded, in their words. */
  readonly constraints: readonly string[];
  /** What is still to do, in the words of the agent's notes and of the user's lists. */
  readonly open: readonly string[];
  /** Files that were written, changed or deleted. */
  readonly files: readonly string[];
}

/** `asked`: somebody wanted it. `full`: the context has come close to the model's window. */
export type CompactionReason = 'asked' | 'full';

export type SummaryOutcome =
  | {
      readonly type: 'completed';
      readonly summary: Body;
      readonly kept: KeptFacts;
      readonly rest: Rest;
    }
  /** With `rest` the older part is left out all the same, and the model is told so. */
  | { readonly type: 'failed'; readonly message: string; readonly rest?: Rest; readonly kept?: KeptFacts }
  /** There is nothing that a summary would make shorter. */
  | { readonly type: 'unneeded'; readonly message: string }
  | { readonly type: 'cancelled'; readonly reason?: string };

export const newContext: Context = { from: 1, messages: 0, tokens: 0 };

/** Tokens of the next request as far as they are known: the provider's count, and our estimate of what came since. */
export function contextSize({ tokens, counted }: Context): number {
  if (counted === undefined) return tokens;
  return Math.max(0, counted.input + Math.ceil((tokens - counted.estimate) * tokenRatio({ counted })));
}

/** Tokens of this model for each one that we estimate, by what its provider counted last. */
export function tokenRatio({ counted }: Pick<Context, 'counted'>): number {
  if (counted?.sent === undefined || counted.sent === 0) return 1;
  return Math.min(Math.max(counted.input / counted.sent, 1 / farthestRatio), farthestRatio);
}

/** The context without what another model's provider counted. */
export function uncounted(context: Context): Context {
  const { counted: _, ...rest } = context;
  return rest;
}

/** Beyond it a count is of something else, such as only of what was not in a cache. */
const farthestRatio = 4;

/** The model's window: what the session's limits say, else what the model that answered last is known to have. */
export function windowOf({ window }: Context, { contextTokens }: Limits): number | undefined {
  return contextTokens ?? window;
}

export function isContextFull(context: Context, limits: Limits): boolean {
  const window = windowOf(context, limits);
  return window !== undefined && contextSize(context) >= window * (limits.compactAt ?? defaultCompactAt);
}

const defaultCompactAt = 0.8;

/** The same context seen from another session: what stood in the origin's own journal is named as its. */
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

/** The context as it was at `to`, going on at `from`: what lies between is passed over and stays in the journal. */
export function contextAgain({ from: began, spans = [], ...rest }: Context, to: number, from: number): Context {
  const again = [...spans, ...(began <= to ? [{ from: began, to }] : [])];
  return { ...rest, from, ...(again.length > 0 && { spans: again }) };
}
