/**
 * Merges layers deterministically.
 *
 * 1. A later value replaces an earlier one.
 * 2. Named entries (an endpoint, an agent …) are replaced as a whole: a project's endpoint never inherits the
 *    user's key.
 * 3. Limits, server and worktrees are merged by key.
 * 4. Policies are never replaced: their rules are joined with their origins, and the gate's deny > ask > allow
 *    decides. So a later layer can't undo an earlier deny.
 */
import { parseRule, type Rule } from '../kernel/rule.ts';
import { ruleOrigins, type ConfigLayer, type LayerName } from './config-layer.ts';
import { configPathToText, type ConfigPath } from './config-path.ts';
import { wholeFile, type PlacedAt } from './config-problem.ts';
import type { Config } from './config-schema.ts';

export interface MergedConfig {
  /** Everything but the policies. */
  readonly config: Config;
  readonly policies: Readonly<Record<string, readonly PlacedRule[]>>;
  /** The layer of each merged value, by path. */
  readonly owners: ReadonlyMap<string, ConfigLayer>;
}

interface PlacedRule {
  readonly rule: Rule;
  readonly origin: ConfigOrigin;
}

/** Where a value comes from. */
export interface ConfigOrigin extends PlacedAt {
  readonly layer: LayerName;
  /** Environment variables used in it; such a value counts as a secret. */
  readonly variables?: readonly string[];
}

const single = ['defaultAgent', 'store', 'checkpoints'] as const;
const grouped = [
  'endpoints',
  'models',
  'agents',
  'prompts',
  'themes',
  'limits',
  'retention',
  'server',
  'tools',
  'mcpServers',
  'acpAgents',
  'worktrees',
] as const;

export function mergeLayers(layers: readonly ConfigLayer[]): MergedConfig {
  const config: Record<string, unknown> = {};
  const owners = new Map<string, ConfigLayer>();
  const policies: Record<string, PlacedRule[]> = {};
  for (const layer of layers) {
    for (const key of single) {
      if (layer.config[key] === undefined) continue;
      config[key] = layer.config[key];
      owners.set(configPathToText([key]), layer);
    }
    for (const group of grouped) {
      const entries = layer.config[group];
      if (entries === undefined) continue;
      config[group] = { ...(config[group] as object | undefined), ...entries };
      for (const key of Object.keys(entries)) owners.set(configPathToText([group, key]), layer);
    }
    for (const [name, rules] of Object.entries(rulesOf(layer))) (policies[name] ??= []).push(...rules);
  }
  return { config, policies, owners };
}

/** The origin of the value at a path, or of the entry that contains it. */
export function originOf(merged: Pick<MergedConfig, 'owners'>, path: ConfigPath): ConfigOrigin | undefined {
  const layer =
    merged.owners.get(configPathToText(path.slice(0, 1))) ?? merged.owners.get(configPathToText(path.slice(0, 2)));
  return layer === undefined ? undefined : originIn(layer, path);
}

export function originIn(layer: ConfigLayer, path: ConfigPath): ConfigOrigin {
  const text = configPathToText(path);
  const isWithin = (used: string): boolean =>
    used === text || used.startsWith(`${text}.`) || used.startsWith(`${text}[`);
  const variables = [...layer.variables].flatMap(([used, names]) => (isWithin(used) ? names : []));
  const place = path.length === 0 ? wholeFile : layer.placeOf(path);
  return { layer: layer.name, file: layer.file, ...place, ...(variables.length > 0 && { variables }) };
}

function rulesOf(layer: ConfigLayer): Record<string, PlacedRule[]> {
  const policies: Record<string, PlacedRule[]> = {};
  for (const [name, policy] of Object.entries(layer.config.policies ?? {})) {
    policies[name] = (['deny', 'ask', 'allow'] as const).flatMap((verdict) =>
      (policy[verdict] ?? []).flatMap((text, index) => {
        const rule = parseRule(text, verdict, ruleOrigins[layer.name]);
        return rule === undefined ? [] : [{ rule, origin: originIn(layer, ['policies', name, verdict, index]) }];
      }),
    );
  }
  return policies;
}
