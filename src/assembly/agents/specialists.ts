/**
 * A persona as a separate agent, for sub-agents: its prompt, its tools, and what needs approval. A file of that
 * name in `.rondo/agents/` replaces it.
 */
import type { AgentDefinition } from '../../agents/agent-definition.ts';
import { assistant } from '../../agents/default-agent.ts';
import { personaAtoms } from '../../intent/atoms/persona-atoms.ts';
import { buildConfig } from '../../intent/turn/config-factory.ts';
import { narrowGate } from '../../intent/turn/gate-narrowing.ts';
import { shippedPersonas } from '../../intent/routing/load-routing.ts';
import { shippedConfigs } from '../../intent/turn/shipped-configs.ts';

export function specialist(persona: string): AgentDefinition | undefined {
  if (!shippedPersonas.includes(persona)) return undefined;
  const { tools, policies } = buildConfig(shippedConfigs, { personas: [persona], verbs: [], access: 'all' });
  const texts = personaAtoms
    .filter(({ when }) => when.agent_type?.includes(persona) === true)
    .map(({ content }) => content);
  return {
    ...assistant,
    name: persona,
    description: `Rondo's built-in ${persona}.`,
    prompt: [assistant.prompt, ...texts].join('\n\n'),
    tools: { only: tools },
    rules: narrowGate({ route: { deny: [], ask: [] }, policies, mode: 'active', tools }),
  };
}
