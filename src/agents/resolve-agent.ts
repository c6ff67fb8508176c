import type { Limits } from '../kernel/limits.ts';
import type { ToolAccess } from '../kernel/agent.ts';
import type { Rule } from '../kernel/rule.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { readAgentFile, type AgentFile } from './agent-files.ts';
import type { ConfigLayer, LayerName } from './config-layer.ts';
import type { LoadedConfig } from './config-layers.ts';
import { configPathToText } from './config-path.ts';
import { problemAt, type ConfigProblem } from './config-problem.ts';
import { checkAgentReferences } from './config-references.ts';
import type { AgentConfigEntry } from './config-schema.ts';
import { assistant } from './default-agent.ts';
import { originIn, originOf, type ConfigOrigin } from './merge-layers.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import { optional } from '../kernel/optional.ts';
import type { Environment } from '../ports/environment.ts';

type ResolvedAgent =
  | { readonly type: 'resolved'; readonly agent: AgentDefinition }
  /** Not defined. A specialist may be built from its persona. */
  | { readonly type: 'unknown'; readonly name: string; readonly nearest?: string }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

/** Resolves an agent from the last layer that defines it, and reads its file if it has one. */
export async function resolveAgent(loaded: LoadedConfig, name: string, env: Environment): Promise<ResolvedAgent> {
  const file = loaded.agentFiles.findLast((agent) => agent.name === name);
  const entryOwner = loaded.owners.get(configPathToText(['agents', name]));
  const externalOwner = loaded.owners.get(configPathToText(['acpAgents', name]));
  const last = latest(file?.layer, entryOwner?.name, externalOwner?.name);
  if (file !== undefined && last === file.layer) return resolveFile(loaded, file, env);
  const entry = loaded.config.agents?.[name];
  if (entry !== undefined && entryOwner !== undefined && last === entryOwner.name) {
    return resolveEntry(loaded, name, entry, entryOwner);
  }
  const external = loaded.config.acpAgents?.[name];
  if (external !== undefined) {
    const origin = originOf(loaded, ['acpAgents', name]) ?? assistant.origin;
    const { envAllowed, agentMode, agentOptions, authMethod, without, ...entry } = external;
    const agent = define(loaded, name, entry, '', origin);
    const more = {
      ...optional({ envAllowed, mode: agentMode, options: agentOptions, authMethod, without }),
    };
    const { command } = agent;
    return {
      type: 'resolved',
      agent: command === undefined ? agent : { ...agent, command: { ...command, ...more } },
    };
  }
  if (name === assistant.name) return { type: 'resolved', agent: { ...assistant, limits: limitsOf(loaded, {}) } };
  const nearest = nearestName(name, loaded.names.agent);
  return { type: 'unknown', name, ...optional({ nearest }) };
}

/** All agents by name, with their layer. */
export function listAgents(loaded: LoadedConfig): readonly { readonly name: string; readonly layer: LayerName }[] {
  return [...loaded.names.agent].toSorted().map((name) => ({
    name,
    layer:
      latest(
        loaded.agentFiles.findLast((agent) => agent.name === name)?.layer,
        loaded.owners.get(configPathToText(['agents', name]))?.name,
        loaded.owners.get(configPathToText(['acpAgents', name]))?.name,
      ) ?? 'default',
  }));
}

async function resolveFile(loaded: LoadedConfig, file: AgentFile, env: Environment): Promise<ResolvedAgent> {
  const read = await readAgentFile(file, { from: env });
  if (read.type === 'invalid') return read;
  const place = (path: readonly (string | number)[]) => ({ file: file.file, ...read.placeOf(path) });
  const problems = checkAgentReferences(read.entry, [], loaded.names, place);
  if (problems.length > 0) return { type: 'invalid', problems };
  const origin: ConfigOrigin = { layer: file.layer, file: file.file, line: 1, column: 1 };
  return { type: 'resolved', agent: define(loaded, file.name, read.entry, read.prompt, origin) };
}

async function resolveEntry(
  loaded: LoadedConfig,
  name: string,
  entry: AgentConfigEntry,
  owner: ConfigLayer,
): Promise<ResolvedAgent> {
  const prompt = entry.prompt === undefined ? assistant.prompt : await promptText(loaded, entry.prompt);
  if (prompt === undefined) {
    const path = ['prompts', entry.prompt ?? ''];
    const at = originOf(loaded, path) ?? originIn(owner, ['agents', name]);
    const message = "can't read its file; a project keeps its prompts in .rondo/, as plain files.";
    return { type: 'invalid', problems: [problemAt(at, path, 'unreadable', message)] };
  }
  return { type: 'resolved', agent: define(loaded, name, entry, prompt, originIn(owner, ['agents', name])) };
}

async function promptText(loaded: LoadedConfig, name: string): Promise<string | undefined> {
  const prompt = loaded.config.prompts?.[name];
  if (prompt === undefined || typeof prompt === 'string') return prompt;
  return (await loaded.owners.get(configPathToText(['prompts', name]))?.readText(prompt.file))?.trim();
}

function define(
  loaded: LoadedConfig,
  name: string,
  entry: AgentConfigEntry,
  prompt: string,
  origin: ConfigOrigin,
): AgentDefinition {
  const { command, mode, theme, needs } = entry;
  const model = entry.endpoint === undefined ? entry.model : `${entry.endpoint}/${entry.model ?? ''}`;
  return {
    name,
    description: entry.description ?? '',
    runs: command === undefined ? 'model' : 'external',
    ...optional({ model }),
    prompt: command === undefined ? prompt : '',
    tools: toolAccess(entry.tools),
    rules: [entry.policy ?? []].flat().flatMap((policy) => rulesOf(loaded, policy)),
    limits: limitsOf(loaded, entry.limits ?? {}),
    ...optional({ mode, theme, needs }),
    resources: entry.resources ?? [],
    understand: entry.understand ?? 'rules',
    compile: entry.compile ?? false,
    ...(command !== undefined && { command: { command, args: entry.args ?? [], env: entry.env ?? {} } }),
    origin,
  };
}

function rulesOf(loaded: LoadedConfig, policy: string): readonly Rule[] {
  const rules: Rule[] = [];
  for (const { rule } of loaded.policies[policy] ?? []) rules.push({ ...rule, origin: 'agent' });
  return rules;
}

function toolAccess(tools: AgentConfigEntry['tools']): ToolAccess {
  if (tools === undefined) return 'all';
  if (typeof tools === 'string') return tools;
  return 'only' in tools ? { only: tools.only } : { only: tools };
}

/** Limits that differ from the defaults: configuration, then agent, then flags. */
function limitsOf(loaded: LoadedConfig, own: Partial<Limits>): Partial<Limits> {
  const from = (layers: readonly LayerName[]): Partial<Limits> =>
    Object.fromEntries(
      Object.entries(loaded.config.limits ?? {}).filter(([key]) => {
        const owner = loaded.owners.get(configPathToText(['limits', key]));
        return owner !== undefined && layers.includes(owner.name);
      }),
    );
  return { ...from(['user', 'project']), ...own, ...from(['flag']), ...from(['managed']) };
}

const layerOrder: readonly LayerName[] = ['default', 'user', 'project', 'flag', 'managed'];

function latest(...layers: readonly (LayerName | undefined)[]): LayerName | undefined {
  return layerOrder.findLast((layer) => layers.includes(layer));
}
