import { previewOf } from '../kernel/content.ts';
import type { Decision } from '../kernel/decision.ts';
import type { InputBody, Understanding } from '../kernel/input.ts';
import { turnOf } from '../kernel/state.ts';
import type { Capabilities } from './capabilities.ts';
import { fitBudget } from './fit-budget.ts';
import type { ModelSink } from '../ports/model.ts';
import type { Effort, Work } from './start-effect.ts';

type Understand = Extract<Decision, { type: 'understand' }>;

/** Asks the agent's model for the meaning of the turn's prompt, and keeps only the validated meaning. */
export function carryOutUnderstand(_: Understand, capabilities: Capabilities): Work {
  const settled = ({ effect, attempt }: Effort, outcome: Understanding): InputBody => ({
    type: 'prompt-understood',
    effect,
    attempt,
    outcome,
  });
  return {
    kind: 'model',
    name: 'understand',
    onCancel: 'settle-at-once',
    async run(effort) {
      const { host, context, effect, attempt } = effort;
      const agent = turnOf(host.state)?.agent ?? host.state.agent;
      const model = await capabilities.models.resolve(agent, host.state.cwd);
      if (typeof model === 'string') return settled(effort, { type: 'unclear', problem: model });
      const prompt = (await host.messages()).findLast(({ role }) => role === 'user');
      const text = prompt === undefined ? '' : previewOf(prompt.text);
      const asked = await capabilities.briefing.understand?.(host.state, text);
      if (asked === undefined) {
        return settled(effort, { type: 'unclear', problem: `Agent ${agent.name} has no way to ask.` });
      }
      const { system, maxOutputTokens, read } = asked;
      const fitted = fitBudget(
        {
          session: host.session,
          effect,
          attempt,
          lane: host.state.parent === undefined ? 'main' : 'worker',
          system,
          messages: [{ role: 'user', text: text.slice(0, longestPrompt) }],
          tools: [],
          maxOutputTokens,
          read: (ref) => host.read(ref),
        },
        model,
        host.state,
      );
      if (fitted.type === 'failed') return settled(effort, { type: 'unclear', problem: fitted.message });
      const result = await model.call(fitted.request, unheard, context.signal);
      if (result.type === 'cancelled') return settled(effort, result);
      const { usage } = result;
      const used = usage === undefined ? {} : { usage };
      if (result.type !== 'completed') {
        return settled(effort, { type: 'unclear', problem: result.message, model: model.name, ...used });
      }
      const meant = await read(result.text);
      return settled(
        effort,
        typeof meant === 'string'
          ? { type: 'unclear', problem: meant, model: model.name, ...used }
          : { type: 'understood', meaning: meant, usage: result.usage, model: model.name },
      );
    },
    cancelled: (effort) => settled(effort, { type: 'cancelled' }),
    broke: (effort, message) => settled(effort, { type: 'unclear', problem: message }),
  };
}

const longestPrompt = 2000;
const unheard: ModelSink = { text: () => undefined, reasoning: () => undefined, status: () => undefined };
