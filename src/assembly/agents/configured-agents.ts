/** Agents from configuration: definitions are resolved on demand, prompts composed for each call. */
import os from 'node:os';
import path from 'node:path';

import type { AgentDefinition } from '../../agents/agent-definition.ts';
import type { LoadedConfig } from '../../agents/config-layers.ts';
import { configPathToText } from '../../agents/config-path.ts';
import { problemToText } from '../../agents/config-problem.ts';
import { assistant, testing } from '../../agents/default-agent.ts';
import { findFileCommands } from '../../agents/file-commands.ts';
import { loadInstructions } from '../../agents/instruction-files.ts';
import type { TextSources } from '../../agents/named-texts.ts';
import { findProject } from '../../agents/project.ts';
import { listAgents, resolveAgent } from '../../agents/resolve-agent.ts';
import { savedRulesFor } from '../../agents/saved-rules.ts';
import { loadResources } from '../../agents/resources.ts';
import { composeSystemPrompt } from '../../agents/system-prompt.ts';
import { branchOfFolder } from '../../git/checked-out.ts';
import { Fault } from '../../kernel/fault.ts';
import type { Intent } from '../../intent/words/intent.ts';
import type { IntentSources } from '../../intent/turn/intent-sources.ts';
import { turnOf, type State } from '../../kernel/state.ts';
import { rondoHome } from '../../security/paths/private-places.ts';
import { withNeeds, type AgentOptions, type AgentSource, type MeaningPlace } from './agent-source.ts';
import { intentSourcesOf } from './intent-extensions.ts';
import type { TurnCompilation } from './turn-compilation.ts';
import { optional } from '../../kernel/optional.ts';
import type { Environment } from '../../ports/environment.ts';

export interface PromptPlace {
  readonly home: string;
  readonly now: () => number;
}

export function configuredAgents(loaded: LoadedConfig, env: Environment, place: PromptPlace): AgentSource {
  const turns = compilationOf(() => intentSourcesOf(loaded));
  return {
    turns,
    defaultAgent: loaded.config.defaultAgent ?? assistant.name,
    names: () => listAgents(loaded).map(({ name }) => name),
    rules: async () => [...loaded.rules, ...(await savedRulesFor(place.home, loaded.project.identity))],
    commands: () => findFileCommands(textSources(loaded, env, place.home)),
    waysToGet: async (name) => (await import('../../acp/find-agents.ts')).waysToGet(name),
    async get(name) {
      if (name === testing) return { model: testing };
      const resolved = await resolveAgent(loaded, name, env);
      switch (resolved.type) {
        case 'unknown':
          return withServerNeeds(
            loaded,
            (await specialistOptions(name, place, turns)) ??
              (await foundOnMachine(name, env)) ??
              refuseUntrusted(loaded, name),
          );
        case 'invalid':
          throw new Fault('unreadable', resolved.problems.map(problemToText).join('\n'));
        case 'resolved':
          return withServerNeeds(loaded, agentOptionsFrom(resolved.agent, place, turns));
      }
    },
  };
}

/** A session also needs what the MCP servers need whose tools its agent may use. */
function withServerNeeds({ config }: LoadedConfig, agent: AgentOptions | undefined): AgentOptions | undefined {
  if (agent === undefined) return undefined;
  const { tools = 'all' } = agent;
  const mayUse = (server: string) =>
    tools === 'all' || (tools !== 'none' && tools.only.some((tool) => tool.startsWith(`mcp__${server}__`)));
  const ofServers = Object.entries(config.mcpServers ?? {}).flatMap(([name, server]) =>
    server.disabled !== true && mayUse(name) ? (server.needs ?? []) : [],
  );
  return withNeeds(agent, ofServers);
}

/** Where a folder's commands and skills come from. */
export function textSources(
  { project: { folder }, projectFiles }: LoadedConfig,
  env: Environment,
  home: string,
): TextSources {
  return { home, userHome: env['HOME'] ?? os.homedir(), project: { folder, files: projectFiles } };
}

/** An agent that the project defines isn't unknown; its file isn't trusted. */
function refuseUntrusted({ ignored, project }: LoadedConfig, name: string): undefined {
  const places = new Set([
    configPathToText(['agents', name]),
    configPathToText(['acpAgents', name]),
    path.join('.rondo', 'agents', `${name}.md`),
  ]);
  const definition = ignored.find((one) => places.has(one.path));
  if (definition === undefined) return;
  const file = path.relative(project.folder, definition.file);
  throw new Fault(
    'not-found',
    `Can't create a session: agent ${name} is defined in this project's ${file}, which isn't trusted. Review it with \`rondo trust --show\`, then run \`rondo trust\`.`,
  );
}

/** The agent that exists without any configuration. */
export function defaultAgents(place: PromptPlace): AgentSource {
  const turns = compilationOf(async () => undefined);
  return {
    defaultAgent: assistant.name,
    names: () => [assistant.name],
    get: async (name) =>
      name === assistant.name ? agentOptionsFrom(assistant, place, turns) : specialistOptions(name, place, turns),
  };
}

/** A persona works as an agent even if nobody defined one with its name. */
async function specialistOptions(
  name: string,
  place: PromptPlace,
  turns: Turns,
): Promise<AgentOptions | undefined> {
  if (!personas.has(name)) return undefined;
  const { specialist } = await import('./specialists.ts');
  const agent = specialist(name);
  return agent === undefined ? undefined : agentOptionsFrom(agent, place, turns);
}

/** Listed here, so that looking up any other name costs nothing. */
const personas: ReadonlySet<string> = new Set(['coder', 'tester', 'reviewer', 'researcher', 'general']);

type Turns = () => Promise<TurnCompilation>;

/** Created on first use: most commands never need it. */
function compilationOf(sources: () => Promise<IntentSources | undefined>): Turns {
  let made: Promise<TurnCompilation> | undefined;
  const make = async () => {
    const [compilation, intent] = await Promise.all([import('./turn-compilation.ts'), sources()]);
    return intent === undefined ? compilation.shippedCompilation() : compilation.createTurnCompilation(intent);
  };
  return () => (made ??= make());
}

/** An agent that is installed but not configured. */
async function foundOnMachine(name: string, env: Environment): Promise<AgentOptions | undefined> {
  const [{ findAgent, traitsOf }, { installedAgent }] = await Promise.all([
    import('../../acp/find-agents.ts'),
    import('../../acp/registry/installed-agents.ts'),
  ]);
  // An agent that a person added from a registry precedes a program on PATH, and keeps its known traits.
  const [added, fallback] = await Promise.all([installedAgent(name, rondoHome()), findAgent(name, env)]);
  const spec = added === undefined ? fallback : { ...traitsOf(name), ...added };
  return spec === undefined ? undefined : { command: spec };
}

function agentOptionsFrom(agent: AgentDefinition, place: PromptPlace, turns: Turns): AgentOptions {
  const { command } = agent;
  if (command !== undefined) {
    const { tools, rules, limits, runs, mode, needs } = agent;
    return { tools, rules, limits, runs, command, ...optional({ mode, needs }) };
  }
  const sceneOf = async ({ state, tools }: MeaningPlace) => ({ agent, cwd: state.cwd, tools: await tools() });
  return {
    prompt: (state, tools) => systemPrompt(agent, state, tools, { ...place, turns }),
    async understand(text, at) {
      const [compilation, scene] = await Promise.all([turns(), sceneOf(at)]);
      return compilation.meaningOf(text, scene);
    },
    async clarified(answer, at) {
      const intent = turnOf(at.state)?.intent;
      if (intent === undefined) return undefined;
      return (await turns()).answered(intent as Intent, answer, await sceneOf(at));
    },
    async askModel(prompt, at) {
      const intent = turnOf(at.state)?.intent;
      const { understand } = await import('../../intent/meaning/transducer.ts');
      return (await turns()).askModel((intent as Intent | undefined) ?? understand(prompt), await sceneOf(at));
    },
    tools: agent.tools,
    rules: agent.rules,
    limits: agent.limits,
    runs: agent.runs,
    ...optional({ model: agent.model, mode: agent.mode, needs: agent.needs }),
  };
}

async function systemPrompt(
  agent: AgentDefinition,
  state: State,
  tools: readonly string[],
  { home, now, turns }: PromptPlace & { readonly turns: Turns },
): Promise<string> {
  const { cwd } = state;
  const { root } = await findProject(cwd, home);
  const [instructions, { resources }, gitBranch] = await Promise.all([
    loadInstructions(root, cwd),
    loadResources(root, agent.resources),
    branchOfFolder(root),
  ]);
  const environment = {
    cwd,
    platform: process.platform,
    date: new Date(now()).toISOString().slice(0, 10),
    ...optional({ gitBranch }),
  };
  const intent = turnOf(state)?.intent;
  if (!agent.compile || intent === undefined)
    return composeSystemPrompt({ agent, instructions, resources, environment });
  const parts = { root, instructions, resources, environment };
  return (await turns()).systemPrompt(intent as Intent, { agent, tools }, parts);
}
