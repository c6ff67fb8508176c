/**
 * A plan is a generator: it yields text and calls, receives results, and returns an outcome.
 *
 * 1. It is pure: its output depends only on the request and the results. Each reply runs it again from the start
 *    over the results so far, so nothing is stored between model calls.
 * 2. Every plan ends, whatever the results.
 */
export type Plan<T> = Generator<Want, T, readonly CallResult[]>;

type Want =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'call'; readonly calls: readonly WantedCall[] };

export interface WantedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface CallResult {
  readonly tool: string;
  /** `withheld`: not called, because it isn't offered or nothing may change. */
  readonly outcome: 'success' | 'error' | 'cancelled' | 'refused' | 'withheld';
  readonly text: string;
}

export interface PlanEnd {
  /** Whether it succeeded; the next step waits for this. */
  readonly ok: boolean;
  readonly text: string;
  /** It couldn't serve the request at all: the turn fails. */
  readonly unserved?: true;
}

export function* say(text: string): Plan<void> {
  yield { type: 'say', text };
}

export function* callTool(tool: string, args: WantedCall['args']): Plan<CallResult> {
  const [result] = yield { type: 'call', calls: [{ tool, args }] };
  return result ?? lost(tool);
}

/** In parallel, with results in the order of the calls. */
export function* callAll(calls: readonly WantedCall[]): Plan<readonly CallResult[]> {
  const results = yield { type: 'call', calls };
  return calls.map(({ tool }, index) => results[index] ?? lost(tool));
}

/** A plan that only says something. */
// oxlint-disable-next-line require-yield -- a plan like any other
export function* tell(end: PlanEnd): Plan<PlanEnd> {
  return end;
}

function lost(tool: string): CallResult {
  return { tool, outcome: 'cancelled', text: 'It ended without a result.' };
}
