/**
 * Circuit breaker for one endpoint, shared by all its models. After five failures in a row, calls fail at once.
 * After half a minute it admits one call at a time. Three successes in a row close it; one failure opens it again.
 *
 * Only provider failures count. A rejected key or a rate limit proves that the provider is up.
 */
import type { Clock } from '../ports/clock.ts';
import { timeAt } from '../kernel/time.ts';
import type { BareModel, BareResult } from './bare-model.ts';
import { spanText } from './wait.ts';

export interface Breaker {
  readonly state: 'closed' | 'open' | 'half-open';
  /** Whether a call may proceed, or when to try again. */
  admit(): { readonly type: 'go' } | { readonly type: 'wait'; readonly until: number };
  /** The message of the last failure, reused for calls that aren't tried. */
  readonly cause: string;
  record(outcome: 'success' | 'neither' | { readonly failure: string }): void;
}

const failuresToOpen = 5;
const openMs = 30_000;
const successesToClose = 3;

type State =
  | { readonly type: 'closed'; readonly failures: number }
  /** In ticks, so that clock changes have no effect. */
  | { readonly type: 'open'; readonly until: number }
  | { readonly type: 'half-open'; readonly successes: number; readonly probing: boolean };

export function createBreaker(clock: Clock): Breaker {
  let state: State = { type: 'closed', failures: 0 };
  let cause = '';
  const opened = (): State => ({ type: 'open', until: clock.ticks() + openMs });
  const current = (): State => {
    if (state.type === 'open' && clock.ticks() >= state.until)
      state = { type: 'half-open', successes: 0, probing: false };
    return state;
  };
  return {
    get state() {
      return current().type;
    },
    get cause() {
      return cause;
    },
    admit() {
      const now = current();
      if (now.type === 'closed') return { type: 'go' };
      if (now.type === 'open') return { type: 'wait', until: timeAt(clock.now() + now.until - clock.ticks()) };
      if (now.probing) return { type: 'wait', until: clock.now() + probePauseMs };
      state = { ...now, probing: true };
      return { type: 'go' };
    },
    record(outcome) {
      const now = current();
      if (typeof outcome === 'object') cause = outcome.failure;
      // A call from before the breaker opened says nothing about the present.
      if (now.type === 'open') return;
      if (outcome === 'neither') {
        if (now.type === 'half-open') state = { ...now, probing: false };
      } else if (now.type === 'closed') {
        const count = outcome === 'success' ? 0 : now.failures + 1;
        state = count >= failuresToOpen ? opened() : { type: 'closed', failures: count };
      } else if (outcome !== 'success') {
        state = opened();
      } else {
        const count = now.successes + 1;
        state =
          count >= successesToClose
            ? { type: 'closed', failures: 0 }
            : { type: 'half-open', successes: count, probing: false };
      }
    },
  };
}

export function withBreaker(model: BareModel, breaker: Breaker, clock: Clock): BareModel {
  return {
    name: model.name,
    async call(request, sink, signal) {
      const admitted = breaker.admit();
      if (admitted.type === 'wait') {
        const pause = spanText(admitted.until - clock.now());
        const { cause } = breaker;
        return {
          type: 'failed',
          code: 'model-unavailable',
          message: `${model.name} was not called: its provider keeps failing. The next call is possible in ${pause}. Last failure: ${cause}`,
          retryable: true,
          retryAt: admitted.until,
          spent: true,
        };
      }
      let outcome: Parameters<Breaker['record']>[0] = 'neither';
      try {
        const result = await model.call(request, sink, signal);
        outcome = outcomeOf(result);
        return result;
      } finally {
        breaker.record(outcome);
      }
    },
  };
}

const probePauseMs = 1000;

function outcomeOf(result: BareResult): Parameters<Breaker['record']>[0] {
  if (result.type === 'completed') return 'success';
  if (result.type === 'timed-out') return { failure: result.message };
  return result.type === 'failed' && result.code === 'model-unavailable' && result.retryable
    ? { failure: result.message }
    : 'neither';
}
