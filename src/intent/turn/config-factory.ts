/**
 * Maps what a turn asks for to what it may use.
 *
 * 1. The atoms of the serving personas come first, then those of the verbs, each in order. They are merged.
 * 2. If none is found, the general config applies and the result reports it. It never means everything.
 * 3. The result never contains a tool that the agent doesn't have.
 */
import type { ToolAccess } from '../../kernel/agent.ts';
import { optional } from '../../kernel/optional.ts';
import { mergeConfigs, type ConfigAtom, type ConfigBody, type ConfigPolicy } from '../words/config-atom.ts';

export interface TurnConfig extends ConfigBody {
  /** The verbs and personas whose atoms were merged. */
  readonly from: readonly string[];
  readonly fallback: boolean;
}

export interface ConfigWanted {
  readonly personas: readonly string[];
  readonly verbs: readonly string[];
  /** The agent's tool access. */
  readonly access: ToolAccess;
}

const generalConfig = 'general';

export function buildConfig(atoms: readonly ConfigAtom[], { personas, verbs, access }: ConfigWanted): TurnConfig {
  const names = [...new Set([...personas, ...verbs])];
  const parts = names.flatMap((name) => atoms.filter((atom) => atom.for === name));
  const used = parts.length > 0 ? parts : atoms.filter((atom) => atom.for === generalConfig);
  const merged = used.map(bodyOf).reduce(mergeConfigs, nothing);
  return {
    ...merged,
    tools: merged.tools.filter((tool) => isOwn(access, tool)),
    policies: merged.policies.filter((policy) => !isOutdone(policy, used)),
    from: [...new Set(used.map((atom) => atom.for))],
    fallback: parts.length === 0,
  };
}

/** A restriction applies only if every kind of turn that has the tool restricts it in the same way. */
function isOutdone({ rule, unless }: ConfigPolicy, used: readonly ConfigAtom[]): boolean {
  if (unless === undefined) return false;
  return used.some(({ tools, policies }) => tools.includes(rule) && !policies.some((own) => own.rule === rule));
}

function isOwn(access: ToolAccess, tool: string): boolean {
  return access === 'all' || (access !== 'none' && access.only.includes(tool));
}

const nothing: ConfigBody = { tools: [], policies: [], priority: 0 };

function bodyOf({ tools, policies, model, priority }: ConfigAtom): ConfigBody {
  return { tools, policies, priority, ...optional({ model }) };
}
