/**
 * A plan is a generator: it yields what it wants said or called, is given the results, and returns what came of it.
 *
 * 1. Pure: what it yields follows from the request and the results alone. So it is run from its beginning for
 *    every reply, over the results so far, and nothing is remembered between model calls.
 * 2. Every plan ends, whatever the results are.
 */
export type Plan<T> = Generator<Want, T, readonly Result[]>;

export type Want =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'call'; readonly calls: readonly WantedCall[] };

export interface WantedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Result {
  readonly tool: string;
  /** `withheld`: not called at all, for it is not offered or nothing may be changed. */
  readonly outcome: 'success' | 'error' | 'cancelled' | 'refused' | 'withheld';
  readonly text: string;
}

/** The end of a plan, for the person. */
export interface Told {
  /** Whether it came to what was asked for: the next of several steps waits for it. */
  readonly ok: boolean;
  readonly text: string;
  /** It could not do what was asked for at all: the turn fails. */
  readonly unserved?: true;
}

export function* say(text: string): Plan<void> {
  yield { type: 'say', text };
}

export function* call(tool: string, args: WantedCall['args']): Plan<Result> {
  const [result] = yield { type: 'call', calls: [{ tool, args }] };
  return result ?? lost(tool);
}

/** Together; results in the order of the calls. */
export function* callAll(calls: readonly WantedCall[]): Plan<readonly Result[]> {
  const results = yield { type: 'call', calls };
  return calls.map(({ tool }, index) => results[index] ?? lost(tool));
}

/** Nothing to call, only something to say. */
// oxlint-disable-next-line require-yield -- a plan like any other
export function* tell(told: Told): Plan<Told> {
  return told;
}

function lost(tool: string): Result {
  return { tool, outcome: 'cancelled', text: 'It ended without a result.' };
}
