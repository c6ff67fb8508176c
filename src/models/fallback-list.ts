/**
 * Models in order of preference. If one is unavailable, rate-limited or rejects the key, the next one is tried,
 * unless part of a reply was already sent. An invalid request isn't tried again, because it would be invalid
 * everywhere.
 */
import { optional } from '../kernel/optional.ts';
import type { Model, ModelResult } from '../ports/model.ts';

type Failure = Extract<ModelResult, { type: 'failed' | 'timed-out' }>;

export function createFallbackList(models: readonly [Model, ...(readonly Model[])]): Model {
  const [first] = models;
  return {
    name: first.name,
    ...optional({ provider: first.provider }),
    ...smallestWindow(models),
    ...highestCost(models),
    async call(request, sink, signal) {
      const failures: Failure[] = [];
      for (const [index, model] of models.entries()) {
        let sent = false;
        const watched = {
          text: (delta: string) => ((sent = true), sink.text(delta)),
          reasoning: (delta: string) => ((sent = true), sink.reasoning(delta)),
          status: (text: string) => sink.status(text),
        };
        const result = await model.call(request, watched, signal);
        if (result.type === 'completed')
          return index === 0 ? result : { ...result, model: result.model ?? model.name };
        if (result.type === 'cancelled' || sent || !cannotServe(result)) return result;
        failures.push(result);
        const next = models[index + 1];
        if (next !== undefined) sink.status(`${model.name} is unavailable; trying ${next.name} instead`);
      }
      return allFailed(failures);
    },
  };
}

/** Any of them may receive the conversation. */
function smallestWindow(models: readonly Model[]): Pick<Model, 'contextTokens'> {
  const windows = models.flatMap(({ contextTokens }) => (contextTokens === undefined ? [] : [contextTokens]));
  return windows.length === 0 ? {} : { contextTokens: Math.min(...windows) };
}

/** Any of them may answer. If one price is unknown, the cost is unknown. */
function highestCost(models: readonly Model[]): Pick<Model, 'cost'> {
  const priced = models.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  if (priced.length === 0) return {};
  return {
    cost(inputTokens, outputTokens) {
      const costs = priced.map((cost) => cost(inputTokens, outputTokens));
      const amounts = costs.filter((cost) => cost !== undefined);
      return amounts.length < costs.length ? undefined : Math.max(...amounts);
    },
  };
}

function cannotServe(result: Failure): boolean {
  return (
    result.type === 'timed-out' || ['model-unavailable', 'model-rate-limited', 'model-auth'].includes(result.code)
  );
}

/** Retryable if any failure is, at the earliest time among them. */
function allFailed(failures: readonly Failure[]): ModelResult {
  const [only] = failures;
  if (failures.length === 1 && only !== undefined) return only;
  const worth = failures.filter((failure) => failure.type === 'timed-out' || failure.retryable);
  const times = worth.map((failure) => (failure.type === 'failed' ? failure.retryAt : undefined));
  const durations = times.filter((time) => time !== undefined);
  const leading = worth[0] ?? only;
  return {
    type: 'failed',
    code: leading?.type === 'failed' ? leading.code : 'model-unavailable',
    message: `None of the ${failures.length} models answered. ${failures.map(({ message }) => message).join(' ')}`,
    retryable: worth.length > 0,
    ...(durations.length > 0 && durations.length === times.length && { retryAt: Math.min(...durations) }),
  };
}
