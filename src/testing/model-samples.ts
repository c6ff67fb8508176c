/** A request, a recording sink, and a bare model that plays steps, for tests of models and their wrappers. */
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { BareModel, BareRequest, BareResult, BareSink } from '../models/bare-model.ts';
import type { ModelRequest, ModelResult, ModelSink } from '../ports/model.ts';

export function modelRequest(fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    session: 'ses_1' as SessionId,
    effect: 'ses_1.1' as EffectId,
    attempt: 1,
    lane: 'main',
    system: 'You are terse.',
    messages: [{ role: 'user', text: 'hello' }],
    tools: [],
    read: async ({ preview }) => preview,
    ...fields,
  };
}

interface RecordingSink extends ModelSink {
  /** In order: `text:…`, `reasoning:…`, `status:…`. */
  readonly heard: readonly string[];
  readonly reply: string;
}

export function recordingSink(): RecordingSink {
  const heard: string[] = [];
  return {
    heard,
    get reply() {
      return heard.flatMap((entry) => (entry.startsWith('text:') ? [entry.slice('text:'.length)] : [])).join('');
    },
    text: (delta) => heard.push(`text:${delta}`),
    reasoning: (delta) => heard.push(`reasoning:${delta}`),
    status: (text) => heard.push(`status:${text}`),
  };
}

export function completed(
  text: string,
  fields: Partial<Extract<ModelResult, { type: 'completed' }>> = {},
): BareResult {
  return {
    type: 'completed',
    text,
    calls: [],
    usage: { inputTokens: 10, outputTokens: 5 },
    stop: 'end',
    ...fields,
  };
}

export function unavailable(fields: Partial<Extract<BareResult, { type: 'failed' }>> = {}): BareResult {
  return { type: 'failed', code: 'model-unavailable', message: 'down.', retryable: true, ...fields };
}

/** An immediate result, or a function of the call. */
export type ModelStep =
  | BareResult
  | ((call: {
      readonly request: BareRequest;
      readonly sink: BareSink;
      readonly signal: AbortSignal;
    }) => Promise<BareResult>);

interface SteppedModel extends BareModel {
  readonly requests: readonly BareRequest[];
}

/** Strict: a call without a step fails the test. */
export function steppedModel(steps: readonly ModelStep[], name = 'fake/model'): SteppedModel {
  const left = [...steps];
  const requests: BareRequest[] = [];
  return {
    name,
    requests,
    async call(request, sink, signal) {
      requests.push(request);
      const step = left.shift();
      if (step === undefined) throw new Error(`unexpected call ${requests.length} of ${name}`);
      return typeof step === 'function' ? await step({ request, sink, signal }) : step;
    },
  };
}

/** Sends deltas, then hangs until aborted. */
export function hangs(...deltas: readonly string[]): ModelStep {
  return async ({ sink, signal }) => {
    for (const delta of deltas) sink.text(delta);
    await new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener('abort', resolve, { once: true });
    });
    return { type: 'cancelled', usage: { inputTokens: 1, outputTokens: 1, estimated: true } };
  };
}
