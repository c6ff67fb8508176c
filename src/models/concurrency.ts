/**
 * Limits concurrent calls to one provider, and calls and tokens per minute.
 *
 * 1. Main work goes before workers, regardless of arrival.
 * 2. Workers never take the last slot, so that main work finds one soon.
 * 3. A call waits at most `waitMs`, then fails with the reason.
 */
import type { Clock } from '../ports/clock.ts';
import { requestTokens } from '../runtime/request-tokens.ts';
import type { BareModel } from './bare-model.ts';
import { createRateBudget, type Lane, type RateLimits } from './rate-budget.ts';
import { spanText } from './wait.ts';

export interface ConcurrencyOptions extends RateLimits {
  readonly clock: Clock;
  /** Concurrent calls (default: unlimited). */
  readonly concurrent?: number;
  readonly waitMs?: number;
}

export interface Places {
  take(lane: Lane, tokens: number, signal: AbortSignal): Promise<Place | 'aborted' | 'late'>;
  /** Whether this call would have to wait. */
  isFull(lane: Lane, tokens: number): boolean;
  readonly running: number;
  /** Whether the limit needs token counts. */
  readonly countsTokens: boolean;
  readonly waitMs: number;
}

interface Place {
  /** Takes the actual token count if known. */
  leave(tokens?: number): void;
}

interface Waiting {
  readonly lane: Lane;
  readonly tokens: number;
  readonly enter: (place: Place) => void;
}

export function createPlaces({
  clock,
  concurrent = Infinity,
  waitMs = 120_000,
  ...limits
}: ConcurrencyOptions): Places {
  const budget = createRateBudget(limits);
  const waiting: Record<Lane, Waiting[]> = { main: [], worker: [] };
  const running: Record<Lane, number> = { main: 0, worker: 0 };
  let wake: (() => void) | undefined;

  const hasPlace = (lane: Lane) =>
    running.main + running.worker < concurrent &&
    (lane === 'main' || running.worker < Math.max(1, concurrent - 1));

  const enter = ({ lane, tokens }: Pick<Waiting, 'lane' | 'tokens'>): Place => {
    running[lane] += 1;
    const spent = budget.take(lane, tokens, clock.ticks());
    let inside = true;
    return {
      leave(used) {
        if (!inside) return;
        inside = false;
        running[lane] -= 1;
        if (used !== undefined) spent.correct(used);
        admit();
      },
    };
  };

  const admit = () => {
    wake?.();
    wake = undefined;
    for (;;) {
      const next = waiting.main[0] ?? waiting.worker[0];
      if (next === undefined || !hasPlace(next.lane)) return;
      const left = budget.fitsAt(next.lane, next.tokens, clock.ticks()) - clock.ticks();
      if (left > 0) return void (wake = clock.at(clock.now() + left, admit));
      waiting[next.lane].shift();
      next.enter(enter(next));
    }
  };

  return {
    waitMs,
    countsTokens: limits.tokensPerMinute !== undefined,
    get running() {
      return running.main + running.worker;
    },
    isFull: (lane, tokens) =>
      waiting.main.length > 0 ||
      (lane === 'worker' && waiting.worker.length > 0) ||
      !hasPlace(lane) ||
      budget.fitsAt(lane, tokens, clock.ticks()) > clock.ticks(),
    async take(lane, tokens, signal) {
      if (signal.aborted) return 'aborted';
      return await new Promise((resolve) => {
        const leave = (why: 'aborted' | 'late') => {
          waiting[lane] = waiting[lane].filter((other) => other !== entry);
          settle();
          resolve(why);
          admit();
        };
        const stop = () => leave('aborted');
        const cancel = clock.at(clock.now() + waitMs, () => leave('late'));
        const settle = () => {
          cancel();
          signal.removeEventListener('abort', stop);
        };
        const entry: Waiting = {
          lane,
          tokens,
          enter(place) {
            settle();
            resolve(place);
          },
        };
        signal.addEventListener('abort', stop, { once: true });
        waiting[lane].push(entry);
        admit();
      });
    },
  };
}

export function withPlaces(model: BareModel, places: Places): BareModel {
  return {
    name: model.name,
    async call(request, sink, signal) {
      const tokens = places.countsTokens ? requestTokens(request) : 0;
      if (places.isFull(request.lane, tokens))
        sink.status(`${model.name}: waiting for other calls to its provider`);
      const place = await places.take(request.lane, tokens, signal);
      if (place === 'aborted') return { type: 'cancelled' };
      if (place === 'late') {
        const message = `${model.name} was not called: ${places.running} other calls to its provider left no room for ${spanText(places.waitMs)}. Raise the endpoint's limits or run fewer sessions at a time.`;
        return { type: 'failed', code: 'model-unavailable', message, retryable: true, spent: true };
      }
      let used: number | undefined;
      try {
        const result = await model.call(request, sink, signal);
        used = result.usage === undefined ? undefined : result.usage.inputTokens + result.usage.outputTokens;
        return result;
      } finally {
        place.leave(used);
      }
    },
  };
}
