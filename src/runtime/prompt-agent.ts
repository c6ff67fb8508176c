import type { Decision } from '../kernel/decision.ts';
import type { InputBody } from '../kernel/input.ts';
import type { Capabilities } from './capabilities.ts';
import type { Effort, Work } from './start-effect.ts';

type PromptAgent = Extract<Decision, { type: 'prompt-agent' }>;
type Outcome = Extract<InputBody, { type: 'agent-turn-settled' }>['outcome'];

export function promptAgent({ prompts }: PromptAgent, { agents }: Capabilities): Work {
  const settled = ({ effect, attempt }: Effort, outcome: Outcome): InputBody => ({
    type: 'agent-turn-settled',
    effect,
    attempt,
    outcome,
  });
  return {
    kind: 'agent',
    name: 'turn',
    onCancel: 'wait-for-end',
    async run(effort) {
      const { host, context, effect, attempt } = effort;
      if (agents === undefined) {
        const message = `Agent ${host.state.agent.name} is an external one, and this process can host none.`;
        return settled(effort, { type: 'failed', code: 'agent-unavailable', message });
      }
      const report = (report: Extract<InputBody, { type: 'agent-reported' }>['report']) =>
        host.deliver({ type: 'agent-reported', effect, attempt, report });
      return settled(effort, await agents.prompt({ prompts, attempt }, host, report, context));
    },
    cancelled: (effort) => settled(effort, { type: 'cancelled' }),
    broke: (effort, message) => settled(effort, { type: 'failed', code: 'agent-failed', message }),
  };
}
