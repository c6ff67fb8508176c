/** What a session's agent, as its folder configures it, has to say at each point of a turn. */
import type { AgentRef } from '../kernel/agent.ts';
import { turnOf, type State } from '../kernel/state.ts';
import type { Capabilities } from '../runtime/capabilities.ts';
import type { Translation } from '../session/client-input.ts';
import { agentRefOf, type AgentSource } from './agent-source.ts';

type Briefing = Required<Capabilities['briefing']> & {
  readonly ref: (name: string, state: State) => Promise<AgentRef | undefined>;
  /** What a prompt that arrives now asks for. */
  readonly prompted: NonNullable<Translation['understand']>;
};

export function createBriefing(
  agentsIn: (cwd: string) => Promise<AgentSource>,
  toolNames: (state: State) => Promise<readonly string[]>,
): Briefing {
  const named = async (name: string, { cwd }: State) => (await agentsIn(cwd)).get(name);
  /** A turn keeps the agent it began with, whatever the session's is by now. */
  const ofTurn = (state: State) => named(turnOf(state)?.agent.name ?? state.agent.name, state);
  const place = (state: State) => ({ state, tools: () => toolNames(state) });

  return {
    async system(state) {
      const prompt = (await ofTurn(state))?.prompt ?? '';
      return typeof prompt === 'string' ? prompt : prompt(state, await toolNames(state));
    },
    roots: (state) => [state.cwd],
    understand: async (state, prompt) => (await ofTurn(state))?.askModel?.(prompt, place(state)),
    clarified: async (answer, state) => (await ofTurn(state))?.clarified?.(answer, place(state)),
    prompted: async (text, state) => (await named(state.agent.name, state))?.understand?.(text, place(state)),
    async ref(name, state) {
      const agent = await named(name, state);
      return agent === undefined ? undefined : agentRefOf(name, agent);
    },
  };
}
