/** Agents from configuration: their definitions resolved on demand, their prompts composed for each call. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { AgentDefinition } from '../agents/agent-definition.ts';
import type { LoadedConfig } from '../agents/config-layers.ts';
import { problemToText } from '../agents/config-problem.ts';
import { assistant } from '../agents/default-agent.ts';
import { loadInstructions } from '../agents/instruction-files.ts';
import { findProject } from '../agents/project.ts';
import { listAgents, resolveAgent } from '../agents/resolve-agent.ts';
import { loadResources } from '../agents/resources.ts';
import { composeSystemPrompt } from '../agents/system-prompt.ts';
import { Fault } from '../kernel/fault.ts';
import type { Intent } from '../intent/intent.ts';
import { turnOf, type State } from '../kernel/state.ts';
import type { AgentOptions, AgentSource } from './agent-source.ts';

/** Does what its prompt says, line by line; for trying things out and for tests. */
const testing = 'testing';

export interface PromptPlace {
  readonly home: string;
  readonly now: () => number;
}

export function configuredAgents(
  loaded: LoadedConfig,
  env: Readonly<Record<string, string | undefined>>,
  place: PromptPlace,
): AgentSource {
  return {
    defaultAgent: loaded.config.defaultAgent ?? assistant.name,
    names: () => listAgents(loaded).map(({ name }) => name),
    async get(name) {
      if (name === testing) return { model: testing };
      const resolved = await resolveAgent(loaded, name, env);
      switch (resolved.type) {
        case 'unknown':
          return undefined;
        case 'invalid':
          throw new Fault('unreadable', resolved.problems.map(problemToText).join('\n'));
        case 'resolved':
          return agentOptionsFrom(resolved.agent, place);
      }
    },
  };
}

/** The agent that is there without any configuration. */
export function defaultAgents(place: PromptPlace): AgentSource {
  return {
    defaultAgent: assistant.name,
    names: () => [assistant.name],
    get: async (name) => (name === assistant.name ? agentOptionsFrom(assistant, place) : undefined),
  };
}

function agentOptionsFrom(agent: AgentDefinition, place: PromptPlace): AgentOptions {
  return {
    prompt: (state, tools) => systemPrompt(agent, state, tools, place),
    async understand(text, tools) {
      const { understandPrompt } = await import('./turn-compilation.ts');
      return understandPrompt(text, agent, await tools());
    },
    tools: agent.tools,
    rules: agent.rules,
    limits: agent.limits,
    runs: agent.runs,
    ...(agent.model !== undefined && { model: agent.model }),
    ...(agent.mode !== undefined && { mode: agent.mode }),
  };
}

async function systemPrompt(
  agent: AgentDefinition,
  state: State,
  tools: readonly string[],
  { home, now }: PromptPlace,
): Promise<string> {
  const { cwd } = state;
  const { root } = await findProject(cwd, home);
  const [instructions, { resources }, gitBranch] = await Promise.all([
    loadInstructions(root, cwd),
    loadResources(root, agent.resources),
    currentBranch(root),
  ]);
  const environment = {
    cwd,
    platform: process.platform,
    date: new Date(now()).toISOString().slice(0, 10),
    ...(gitBranch !== undefined && { gitBranch }),
  };
  const intent = turnOf(state)?.intent;
  if (!agent.compile || intent === undefined)
    return composeSystemPrompt({ agent, instructions, resources, environment });
  const { compiledPrompt } = await import('./turn-compilation.ts');
  return compiledPrompt(agent, intent as Intent, tools, { root, instructions, resources, environment });
}

/** Read from the repository's HEAD file: a process for every model call would cost more than it tells. */
async function currentBranch(root: string): Promise<string | undefined> {
  try {
    const head = await readFile(path.join(root, '.git', 'HEAD'), 'utf8');
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
  } catch {
    return undefined;
  }
}
