/** References that must resolve: agent → model, endpoint, prompt, policy, theme; model → endpoint; default → agent. */
import type { ConfigPath } from './config-path.ts';
import { problemAt, type ConfigProblem, type PlacedAt } from './config-problem.ts';
import type { AgentConfigEntry, Config } from './config-schema.ts';
import { builtInNames } from './default-config.ts';
import { nearestName, suggestName } from '../kernel/nearest-name.ts';

/** Every name that can be referenced, by kind. */
export type KnownNames = Readonly<Record<ReferenceKind, ReadonlySet<string>>>;
type ReferenceKind = 'agent' | 'model' | 'endpoint' | 'prompt' | 'policy' | 'theme';

export function knownNames(
  config: Config,
  policies: Readonly<Record<string, unknown>>,
  otherAgents: Iterable<string>,
): KnownNames {
  const names = (group: object | undefined, builtIn: readonly string[] = []) =>
    new Set([...Object.keys(group ?? {}), ...builtIn]);
  return {
    agent: new Set([...names(config.agents, builtInNames.agents), ...names(config.acpAgents), ...otherAgents]),
    model: names(config.models, builtInNames.models),
    endpoint: names(config.endpoints, builtInNames.endpoints),
    prompt: names(config.prompts),
    policy: names(policies, builtInNames.policies),
    theme: names(config.themes, builtInNames.themes),
  };
}

type FindPlace = (path: ConfigPath) => PlacedAt;

export function checkReferences(config: Config, names: KnownNames, place: FindPlace): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const refer = (kind: ReferenceKind, name: string | undefined, path: ConfigPath): void => {
    if (name !== undefined) problems.push(...danglingReference(kind, name, path, names, place));
  };
  refer('agent', config.defaultAgent, ['defaultAgent']);
  for (const [name, model] of Object.entries(config.models ?? {})) {
    refer('endpoint', model.endpoint, ['models', name, 'endpoint']);
    for (const [index, other] of (model.fallbacks ?? []).entries()) {
      refer('model', other, ['models', name, 'fallbacks', index]);
    }
  }
  for (const [name, agent] of Object.entries(config.agents ?? {})) {
    problems.push(...checkAgentReferences(agent, ['agents', name], names, place));
  }
  return problems;
}

export function checkAgentReferences(
  agent: AgentConfigEntry,
  path: ConfigPath,
  names: KnownNames,
  place: FindPlace,
): ConfigProblem[] {
  const policies =
    typeof agent.policy === 'string'
      ? [[agent.policy, 'policy'] as const]
      : (agent.policy ?? []).map((name, index) => [name, 'policy', index] as const);
  const references: readonly (readonly [ReferenceKind, string | undefined, ConfigPath])[] = [
    ['endpoint', agent.endpoint, ['endpoint']],
    // with an endpoint, only that server can check the model name
    ['model', agent.endpoint === undefined ? agent.model : undefined, ['model']],
    ['prompt', agent.prompt, ['prompt']],
    ['theme', agent.theme, ['theme']],
    ...policies.map(([name, ...below]) => ['policy', name, below] as const),
  ];
  return references.flatMap(([kind, name, below]) =>
    name === undefined ? [] : danglingReference(kind, name, [...path, ...below], names, place),
  );
}

function danglingReference(
  kind: ReferenceKind,
  name: string,
  path: ConfigPath,
  names: KnownNames,
  place: FindPlace,
): ConfigProblem[] {
  if (names[kind].has(name)) return [];
  const slash = name.indexOf('/');
  // `endpoint/model` refers to a model without an entry
  if (kind === 'model' && slash > 0)
    return danglingReference('endpoint', name.slice(0, slash), path, names, place);
  const nearest = nearestName(name, names[kind]);
  const message = `unknown ${kind} "${name}"${suggestName(name, names[kind])}`;
  return [problemAt(place(path), path, 'dangling', message, nearest)];
}
