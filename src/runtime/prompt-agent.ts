import type { AgentRequest } from '../kernel/agent-request.ts';
import type { Decision } from '../kernel/decision.ts';
import type { AgentOutcome, InputBody } from '../kernel/input.ts';
import { withManaged } from '../kernel/policy/permission.ts';
import type { Capabilities } from './capabilities.ts';
import type { FileKeeper } from './keep-files.ts';
import type { Effort, Work } from './start-effect.ts';

type PromptAgent = Extract<Decision, { type: 'prompt-agent' }>;

export function promptAgent(
  { prompts }: PromptAgent,
  { agents, managedRules = [] }: Capabilities,
  files: FileKeeper,
): Work {
  const settled = ({ effect, attempt }: Effort, outcome: AgentOutcome): InputBody => ({
    type: 'agent-turn-settled',
    effect,
    attempt,
    outcome,
  });
  const managed = (request: AgentRequest): AgentRequest => {
    if (request.type !== 'permission') return request;
    const { call } = request;
    return { ...request, call: { ...call, facts: withManaged(call.tool, call.facts, managedRules) } };
  };
  return {
    kind: 'agent',
    name: 'turn',
    onCancel: 'wait-for-end',
    async run(effort) {
      const { host, context, effect, attempt } = effort;
      if (agents === undefined) {
        const message = `Agent ${host.state.agent.name} is an external agent, and this process can't host one. Resume the session with \`rondo serve\`, \`rondo chat\` or \`rondo run\`.`;
        return settled(effort, { type: 'failed', code: 'agent-unavailable', message });
      }
      // The agent's own changes aren't known in advance.
      await files.beforeChange(effort, []);
      // Cancelled during preparation.
      if (context.signal.aborted) return settled(effort, { type: 'cancelled' });
      const of = { effect, attempt };
      const outcome = await agents.prompt({
        ...of,
        prompts,
        host,
        context,
        report: (report) => host.deliver({ type: 'agent-reported', ...of, report }),
        ask: (request) => host.deliver({ type: 'agent-asked', ...of, request: managed(request) }),
        withdraw: (key) => host.deliver({ type: 'agent-withdrew', ...of, key }),
      });
      return settled(effort, outcome);
    },
    cancelled: (effort) => settled(effort, { type: 'cancelled' }),
    broke: (effort, message) => settled(effort, { type: 'failed', code: 'agent-failed', message }),
  };
}
