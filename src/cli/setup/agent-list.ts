import { findAgents } from '../../acp/find-agents.ts';
import { readInstalled } from '../../acp/registry/installed-agents.ts';
import { rondoHome } from '../../security/paths/private-places.ts';
import type { LoadedConfig } from '../../agents/config-layers.ts';
import type { ConfigProblem } from '../../agents/config-problem.ts';
import { listAgents, resolveAgent } from '../../agents/resolve-agent.ts';
import type { ToolAccess } from '../../kernel/agent.ts';
import { optional } from '../../kernel/optional.ts';
import type { Environment } from '../../ports/environment.ts';

interface ListedAgent {
  readonly name: string;
  readonly description: string;
  readonly runs: 'model' | 'external';
  readonly layer: string;
  readonly file: string;
  readonly tools: ToolAccess;
  readonly isDefault: boolean;
  readonly model?: string;
}

/** Available agents, and errors in the files of others. */
export async function agentList(
  loaded: LoadedConfig,
): Promise<{ readonly agents: readonly ListedAgent[]; readonly problems: readonly ConfigProblem[] }> {
  const listed = listAgents(loaded).filter(({ name }) => name !== 'testing');
  const rows = await Promise.all(
    listed.map(async ({ name, layer }) => ({
      name,
      layer,
      resolved: await resolveAgent(loaded, name, process.env),
    })),
  );
  const agents = rows.flatMap(({ name, layer, resolved }) => {
    if (resolved.type !== 'resolved') return [];
    const { agent } = resolved;
    const { description, runs, tools, origin, model } = agent;
    const isDefault = name === loaded.config.defaultAgent;
    return [
      {
        name,
        description,
        runs,
        layer,
        file: origin.file,
        tools,
        isDefault,
        ...optional({ model }),
      },
    ];
  });
  const problems = rows.flatMap(({ resolved }) => (resolved.type === 'invalid' ? resolved.problems : []));
  return { agents: [...agents, ...(await onMachine(agents, process.env))], problems };
}

/** Installed external agents that aren't configured. */
async function onMachine(
  configured: readonly ListedAgent[],
  env: Environment = process.env,
): Promise<readonly ListedAgent[]> {
  const [agents, added] = await Promise.all([findAgents(env), readInstalled(rondoHome())]);
  const installed = Object.entries(added)
    .filter(([name]) => !configured.some((one) => one.name === name))
    .map(([name, { title, version, command }]): ListedAgent => ({
      name,
      description: `${title} ${version}`,
      runs: 'external',
      layer: 'registry',
      file: command,
      tools: 'all',
      isDefault: false,
    }));
  const onPath = agents.flatMap(({ agent, file }): readonly ListedAgent[] => {
    if (file === undefined || [...configured, ...installed].some(({ name }) => name === agent.name)) return [];
    const { name, title } = agent;
    return [
      { name, description: title, runs: 'external', layer: 'machine', file, tools: 'all', isDefault: false },
    ];
  });
  return [...installed, ...onPath];
}
