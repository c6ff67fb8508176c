/**
 * Retries provider failures, rate limits and timeouts.
 *
 * 1. Never after a delta: sent text can't be withdrawn.
 * 2. Pauses double from `firstMs` to `longestMs`, and respect the time that a provider names.
 * 3. A retry time beyond `longestMs` goes into the failure, so that the session waits instead of holding a call
 *    open.
 */
import type { Clock } from '../ports/clock.ts';
import type { Model, ModelSink } from '../ports/model.ts';
import { toPortResult, type BareModel, type BareResult } from './bare-model.ts';
import { spanText, waitForTime } from './wait.ts';

interface RetryOptions {
  readonly clock: Clock;
  readonly retries?: number;
}

const firstMs = 100;
const longestMs = 10_000;

export function withRetry(model: BareModel, { clock, retries = 3 }: RetryOptions): Model {
  return {
    name: model.name,
    async call(request, sink, signal) {
      const watched = watch(sink);
      for (let retry = 0; ; retry += 1) {
        const result = await model.call(request, watched, signal);
        if (signal.aborted || watched.sent || !isWorthRetrying(result)) return toPortResult(result);
        if (retry === retries) return toPortResult(named(result, retry));
        const now = clock.now();
        const pause = Math.min(firstMs * 2 ** retry, longestMs);
        const until = Math.max(now + pause, (result.type === 'failed' ? result.retryAt : undefined) ?? 0);
        if (until - now > longestMs) return toPortResult(result);
        sink.status(
          `${model.name} ${problemOf(result)}; retrying in ${spanText(until - now)} (${retry + 1} of ${retries})`,
        );
        if ((await waitForTime(clock, until, signal)) === 'aborted') return { type: 'cancelled' };
      }
    },
  };
}

function isWorthRetrying(result: BareResult): boolean {
  if (result.spent === true) return false;
  return result.type === 'timed-out' || (result.type === 'failed' && result.retryable);
}

function problemOf(result: BareResult): string {
  if (result.type === 'timed-out') return 'did not answer in time';
  return result.type === 'failed' && result.code === 'model-rate-limited' ? 'limits the call rate' : 'failed';
}

function named(result: BareResult, retries: number): BareResult {
  if (result.type !== 'failed' || retries === 0) return result;
  return { ...result, message: `${result.message} Tried ${retries + 1} times.` };
}

function watch(sink: ModelSink): ModelSink & { readonly sent: boolean } {
  let sent = false;
  return {
    get sent() {
      return sent;
    },
    text(delta) {
      sent = true;
      sink.text(delta);
    },
    reasoning(delta) {
      sent = true;
      sink.reasoning(delta);
    },
    status: (text) => sink.status(text),
  };
}
