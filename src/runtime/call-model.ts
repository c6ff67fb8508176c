import type { Call } from '../kernel/call.ts';
import { estimateTokens } from '../kernel/content.ts';
import { contextSize } from '../kernel/context.ts';
import type { Decision } from '../kernel/decision.ts';
import type { InputBody, ModelOutcome } from '../kernel/input.ts';
import type { Usage } from '../kernel/outcome.ts';
import { turnOf } from '../kernel/state.ts';
import type { Capabilities } from './capabilities.ts';
import { describeCalls } from './describe-calls.ts';
import type { ModelSink } from './model.ts';
import type { Effort, Work } from './start-effect.ts';
import { together } from './together.ts';

type CallModel = Extract<Decision, { type: 'call-model' }>;

export function callModel(decision: CallModel, capabilities: Capabilities): Work {
  let said = '';
  const settled = ({ effect, attempt }: Effort, outcome: ModelOutcome): InputBody => ({
    type: 'model-settled',
    effect,
    attempt,
    outcome,
  });
  const partial = () => (said === '' ? {} : { partial: said });
  return {
    kind: 'model',
    name: 'call',
    onCancel: 'settle-at-once',
    async run(effort) {
      const { host, context, effect, attempt } = effort;
      const { state } = host;
      const agent = turnOf(state)?.agent ?? state.agent;
      const [model, system, messages, tools] = await together(
        capabilities.models.resolve(agent, state.cwd),
        capabilities.briefing.system(state),
        host.messages(),
        capabilities.tools.offered(state),
      );
      if (typeof model === 'string') {
        return settled(effort, { type: 'failed', code: 'model-unavailable', message: model, retryable: false });
      }
      // Cancelled while it was prepared: nobody wants the answer any more.
      if (context.signal.aborted) return settled(effort, { type: 'cancelled' });
      const sink = sinkFor(effort, (delta) => (said += delta));
      const { maxOutputTokens } = decision;
      const request = {
        session: host.session,
        effect,
        attempt,
        lane: state.parent === undefined ? 'main' : 'worker',
        system,
        messages,
        tools,
        read: host.read,
      } as const;
      const result = await model.call(
        maxOutputTokens === undefined ? request : { ...request, maxOutputTokens },
        sink,
        context.signal,
      );
      if (result.type !== 'completed') return settled(effort, { ...result, ...partial() });
      const calls =
        result.calls.length === 0 ? noCalls : await describeCalls(result.calls, host, capabilities, host.session);
      const outcome: Mutable<Extract<ModelOutcome, { type: 'completed' }>> = { ...result, calls };
      // An agent that names no model gets the one that was found; which it was belongs in the record.
      if (outcome.model === undefined && agent.model === undefined) outcome.model = model.name;
      if (model.contextTokens !== undefined) outcome.contextTokens = model.contextTokens;
      return settled(effort, outcome);
    },
    cancelled: (effort) => settled(effort, { type: 'cancelled', ...partial(), usage: estimated(effort, said) }),
    broke: (effort, message) =>
      settled(effort, { type: 'failed', code: 'fault', message, retryable: true, ...partial() }),
  };
}

function sinkFor({ host, effect, attempt, context }: Effort, onText: (delta: string) => void): ModelSink {
  const { signal } = context;
  const send = (kind: 'text' | 'reasoning' | 'status', text: string) => {
    if (!signal.aborted) host.progress({ effect, attempt, kind, text });
  };
  return {
    text(delta) {
      if (signal.aborted) return;
      onText(delta);
      host.progress({ effect, attempt, kind: 'text', text: delta });
    },
    reasoning: (delta) => send('reasoning', delta),
    status: (text) => send('status', text),
  };
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

const noCalls: readonly Call[] = [];

/** A call cut short reports no usage; what it was sent and said is counted all the same. */
function estimated({ host }: Effort, said: string): Usage {
  return { inputTokens: contextSize(host.state.context), outputTokens: estimateTokens(said), estimated: true };
}
