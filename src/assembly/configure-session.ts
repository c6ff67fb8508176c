/** A new session's setup: its creator's options override its agent's, which override the global defaults. */
import { Fault } from '../kernel/fault.ts';
import { isLabel } from '../kernel/agent.ts';
import type { SessionSetup } from '../kernel/input.ts';
import { jsonProblem, withoutUndefined } from '../kernel/json-problem.ts';
import type { Limits } from '../kernel/limits.ts';
import { isModeName, modes, type Mode } from '../kernel/mode.ts';
import { narrowTools } from '../workers/narrow-tools.ts';
import { agentRefOf, type AgentSource } from './agents/agent-source.ts';
import type { CreateOptions } from './rondo-options.ts';

type Setup = Omit<SessionSetup, 'cwd'>;

export async function configureSession(
  asked: CreateOptions,
  agents: AgentSource,
  general: Partial<Limits> = {},
): Promise<Setup> {
  const name = asked.agent ?? agents.defaultAgent;
  const defaults = await agents.get(name);
  if (defaults === undefined) throw new Fault('not-found', await unknownAgent(name, agents));
  const ref = agentRefOf(name, defaults, asked.model);
  const wrong = ref.needs?.find((label) => !isLabel(label));
  if (wrong !== undefined)
    throw new Fault('unreadable', `Can't create a session: invalid label ${JSON.stringify(wrong)}.`);
  const limits = withoutUndefined({ ...general, ...defaults.limits, ...asked.limits });
  const problem = jsonProblem({ limits, mode: asked.mode, rules: asked.rules });
  if (problem !== undefined) throw new Fault('unreadable', `Can't create a session: ${problem}.`);
  const rules = [...(defaults.rules ?? []), ...(asked.rules ?? [])];
  const setup: { -readonly [Key in keyof Setup]: Setup[Key] } = {
    agent: asked.tools === undefined ? ref : { ...ref, tools: narrowTools(ref.tools ?? 'all', asked.tools) },
    mode: modeFrom(asked.mode ?? defaults.mode ?? 'interactive'),
  };
  if (asked.title !== undefined) setup.title = asked.title;
  if (asked.parent !== undefined) setup.parent = asked.parent;
  if (Object.keys(limits).length > 0) setup.limits = limits;
  if (rules.length > 0) setup.rules = rules;
  return setup;
}

function modeFrom(mode: string | Mode): Mode {
  if (typeof mode !== 'string') return mode;
  if (isModeName(mode)) return modes[mode];
  throw new Fault('not-found', `Unknown mode ${mode}; use one of ${Object.keys(modes).join(', ')}.`);
}

async function unknownAgent(name: string, agents: AgentSource): Promise<string> {
  const unknown = `Can't create a session: unknown agent ${name}; use one of ${agents.names().join(', ')}.`;
  const ways = await agents.waysToGet?.(name);
  return ways === undefined ? unknown : `${unknown} ${ways}`;
}
