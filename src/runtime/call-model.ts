import type { AgentRef } from '../kernel/agent.ts';
import type { Call } from '../kernel/call.ts';
import { estimateTokens } from '../kernel/content.ts';
import { tokenRatio } from '../kernel/context.ts';
import type { Decision } from '../kernel/decision.ts';
import type { InputBody, ModelOutcome } from '../kernel/input.ts';
import type { Message } from '../kernel/message.ts';
import type { Usage } from '../kernel/outcome.ts';
import { turnOf } from '../kernel/state.ts';
import type { Capabilities } from './capabilities.ts';
import { withComposedUrls } from './composed-urls.ts';
import { describeCalls } from './describe-calls.ts';
import { fitBudget } from './fit-budget.ts';
import type { Model, ModelRequest, ModelResult, ModelSink } from '../ports/model.ts';
import type { Effort, Work } from './start-effect.ts';
import { together } from './together.ts';
import type { Tool } from '../ports/tool.ts';
import { timeAt } from '../kernel/time.ts';
import { withFreshIds } from './fresh-call-ids.ts';

type CallModel = Extract<Decision, { type: 'call-model' }>;

export function callModel(decision: CallModel, capabilities: Capabilities): Work {
  let reply = '';
  let sent = 0;
  let isFree = false;
  const partial = () => (reply === '' ? {} : { partial: reply });
  return {
    kind: 'model',
    name: 'call',
    onCancel: 'settle-at-once',
    // Keep its captured data small: a thousand sessions may hold it at once while their models answer.
    async run(effort) {
      const { host, context } = effort;
      const agent = turnOf(host.state)?.agent ?? host.state.agent;
      const given = await together(
        capabilities.models.resolve(agent, host.state.cwd),
        capabilities.briefing.system(host.state),
        host.messages(),
        capabilities.tools.offered(host.state, host.epoch),
      );
      const [model] = given;
      if (typeof model === 'string') {
        return settled(effort, { type: 'failed', code: 'model-unavailable', message: model, retryable: false });
      }
      // Cancelled during preparation: nobody needs the answer.
      if (context.signal.aborted) return settled(effort, { type: 'cancelled' });
      const fitted = fitBudget(requestOf(decision, effort, given), model, host.state);
      if (fitted.type === 'failed') return settled(effort, fitted);
      sent = fitted.sent;
      isFree = model.cost?.(1_000_000, 1_000_000) === 0;
      const sink = sinkFor(effort, (delta) => (reply += delta));
      const result = await model.call(fitted.request, sink, context.signal);
      if (result.type !== 'completed') return settled(effort, { ...unfinished(result), ...partial() });
      const calls =
        result.calls.length === 0
          ? noCalls
          : await withComposedUrls(
              await describeCalls(withFreshIds(result.calls, given[2]), host, capabilities, host.session, {
                areNew: true,
              }),
              host,
            );
      return settled(effort, completed(result, calls, { agent, model, sent }));
    },
    cancelled: (effort) =>
      settled(effort, {
        type: 'cancelled',
        ...partial(),
        ...(sent > 0 && { usage: { ...estimated(effort, sent, reply), ...(isFree && { cost: 0 }) } }),
      }),
    broke: (effort, message) =>
      settled(effort, { type: 'failed', code: 'fault', message, retryable: true, ...partial() }),
  };
}

function sinkFor({ host, effect, attempt, context }: Effort, onText: (delta: string) => void): ModelSink {
  const { signal } = context;
  return {
    text(delta) {
      if (signal.aborted) return;
      onText(delta);
      host.progress({ effect, attempt, kind: 'text', text: delta });
    },
    reasoning(text) {
      if (!signal.aborted) host.progress({ effect, attempt, kind: 'reasoning', text });
    },
    status(text) {
      if (!signal.aborted) host.progress({ effect, attempt, kind: 'status', text });
    },
  };
}

function settled({ effect, attempt }: Effort, outcome: ModelOutcome): InputBody {
  return { type: 'model-settled', effect, attempt, outcome };
}

function requestOf(
  { maxOutputTokens }: CallModel,
  { host, effect, attempt }: Effort,
  [, system, messages, tools]: readonly [unknown, string, readonly Message[], readonly Tool[]],
): ModelRequest {
  const { session, read, state } = host;
  const lane = state.parent === undefined ? 'main' : 'worker';
  const request = { session, effect, attempt, lane, system, messages, tools, read } as const;
  return maxOutputTokens === undefined ? request : { ...request, maxOutputTokens };
}

/** Converts the provider's time to session time. */
function unfinished(result: Exclude<ModelResult, { type: 'completed' }>) {
  if (result.type !== 'failed') return result;
  const { retryAt, ...failed } = result;
  return retryAt === undefined ? failed : { ...failed, retryAt: timeAt(retryAt) };
}

/** An agent that names no model gets a discovered one. The record says which. */
function completed(
  result: Extract<ModelResult, { type: 'completed' }>,
  calls: readonly Call[],
  { agent, model, sent }: { readonly agent: AgentRef; readonly model: Model; readonly sent: number },
): ModelOutcome {
  const { name, contextTokens } = model;
  const outcome: Mutable<Extract<ModelOutcome, { type: 'completed' }>> = { ...result, calls };
  if (outcome.model === undefined && agent.model === undefined) outcome.model = name;
  if (contextTokens !== undefined) outcome.contextTokens = contextTokens;
  if (contextTokens !== undefined && result.usage.estimated !== true) outcome.sent = sent;
  return outcome;
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

const noCalls: readonly Call[] = [];

/**
 * An interrupted call reports no usage, so its request and partial reply are estimated. What they cost stays unknown,
 * unless the model is free.
 */
function estimated({ host }: Effort, sent: number, reply: string): Usage {
  const ratio = tokenRatio(host.state.context);
  const [inputTokens, outputTokens] = [sent, estimateTokens(reply)].map((tokens) => Math.ceil(tokens * ratio));
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, estimated: true };
}
