/**
 * What an untrusted project may set: only what makes Rondo stricter or changes its looks. The rest is left out and
 * listed, so that a front end can offer `rondo trust`. This is an allow list, so a new key of the schema is inert
 * by default.
 */
import { tighteningLimits, type Limits } from '../kernel/limits.ts';
import type { PlaceOf } from './config-document.ts';
import { configPathToText, type ConfigPath } from './config-path.ts';
import type { PlacedAt } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import type { MergedConfig } from './merge-layers.ts';

export interface Ignored extends PlacedAt {
  /** The ignored path, such as `mcpServers.tickets`, or the agent file's path in the project. */
  readonly path: string;
  readonly reason: string;
}

interface Harmless {
  readonly config: Config;
  readonly ignored: readonly Ignored[];
}

/** `user` is the configuration without the project; `userAgents` are the names of the user's agent files. */
export function keepHarmless(
  project: { readonly file: string; readonly config: Config; readonly placeOf: PlaceOf },
  user: MergedConfig,
  userAgents: ReadonlySet<string>,
): Harmless {
  const { config, file, placeOf } = project;
  const ignored: Ignored[] = [];
  const ignore = (path: ConfigPath, reason: string): void => {
    ignored.push({ path: configPathToText(path), file, ...placeOf(path, 'key'), reason });
  };

  const kept: Config = {
    ...keepDefaultAgent(config.defaultAgent, user, userAgents, ignore),
    ...keepLimits(config.limits, user.config.limits ?? {}, ignore),
    ...keepPolicies(config.policies, ignore),
    ...keepThemes(config.themes, user, ignore),
    ...keepTools(config.tools, user.config.tools?.sandbox, ignore),
  };
  for (const [key, value] of Object.entries(config)) {
    if (decided.has(key)) continue;
    const reason = reasons[key] ?? "an untrusted project can't decide this.";
    if (typeof value !== 'object') ignore([key], reason);
    else for (const name of Object.keys(value)) ignore([key, name], reason);
  }
  return { config: kept, ignored: ignored.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

/** Keys that may be kept in part. */
const decided: ReadonlySet<string> = new Set(['$schema', 'defaultAgent', 'limits', 'policies', 'themes', 'tools']);

const reasons: Readonly<Record<string, string>> = {
  endpoints: 'it could send your prompts and keys to another server.',
  models: 'it decides where your prompts go and what they cost.',
  agents: 'it brings its own prompt, tools or commands.',
  prompts: 'its text would instruct the model.',
  store: 'it decides where your sessions are stored.',
  checkpoints: 'it decides whether your files are saved before they change.',
  retention: 'it decides which of your sessions are removed.',
  server: 'it decides who can reach the server.',
  tools: 'it decides how far commands reach and who sees your searches.',
  mcpServers: 'it starts a command or connects to a server.',
  acpAgents: 'it starts a command.',
  worktrees: 'it runs commands or decides where files are written.',
};

export const agentFileReason = reasons['agents'] ?? '';
export const intentFileReason =
  "it decides how Rondo understands your prompts and adds to the model's instructions.";

export const textFileReason = 'its text would instruct the model.';

type Ignore = (path: ConfigPath, reason: string) => void;

/** Only agents known to grant nothing: any other choice would loosen the rules. */
function keepDefaultAgent(
  name: string | undefined,
  user: MergedConfig,
  userAgents: ReadonlySet<string>,
  ignore: Ignore,
): Config {
  if (name === undefined) return {};
  const agent = user.config.agents?.[name];
  const isKnown = agent !== undefined || name === 'assistant';
  const policies = [agent?.policy ?? []].flat();
  const allows = policies.some((policy) => user.policies[policy]?.some(({ rule }) => rule.verdict === 'allow'));
  if (isKnown && !allows && agent?.command === undefined && !userAgents.has(name)) return { defaultAgent: name };
  ignore(['defaultAgent'], `"${name}" isn't an agent of your configuration that asks before it acts.`);
  return {};
}

function keepLimits(limits: Config['limits'], below: Partial<Limits>, ignore: Ignore): Config {
  const kept: Record<string, number> = {};
  for (const [key, value] of Object.entries(limits ?? {})) {
    if (tighteningLimits.has(key) && value <= (below[key as keyof Limits] ?? Infinity)) kept[key] = value;
    else ignore(['limits', key], 'it would loosen a limit.');
  }
  return Object.keys(kept).length === 0 ? {} : { limits: kept };
}

function keepPolicies(policies: Config['policies'], ignore: Ignore): Config {
  if (policies === undefined) return {};
  const kept = Object.entries(policies).map(([name, { allow, ...stricter }]) => {
    for (const [index, rule] of (allow ?? []).entries()) {
      ignore(['policies', name, 'allow', index], `it would let ${rule} run without asking you.`);
    }
    return [name, stricter] as const;
  });
  return { policies: Object.fromEntries(kept) };
}

type SandboxSetting = NonNullable<NonNullable<Config['tools']>['sandbox']>;

/** Keeps only a sandbox that is at least as strict as the user's. */
function keepTools(tools: Config['tools'], own: SandboxSetting | undefined, ignore: Ignore): Config {
  const { sandbox, ...others } = tools ?? {};
  for (const name of Object.keys(others)) ignore(['tools', name], reasons['tools'] ?? '');
  if (sandbox === undefined) return {};
  if (isTighter(sandbox, own ?? 'auto')) return { tools: { sandbox } };
  ignore(['tools', 'sandbox'], 'commands would reach further than you allow.');
  return {};
}

function isTighter(one: SandboxSetting, other: SandboxSetting): boolean {
  const difference = strictness(one) - strictness(other);
  if (difference !== 0) return difference > 0;
  const hosts = new Set(hostsOf(other));
  return hostsOf(one).every((host) => hosts.has(host));
}

function strictness(setting: SandboxSetting): number {
  if (typeof setting === 'object' && setting.network !== undefined) return 2;
  const level = typeof setting === 'string' ? setting : setting.level;
  // `auto` has no network either, but allows running without a sandbox.
  return { none: 0, container: 0, workspace: 1, auto: 3, 'workspace-no-network': 4 }[level];
}

function hostsOf(setting: SandboxSetting): readonly string[] {
  return typeof setting === 'string' ? [] : (setting.network ?? []);
}

/** Only new names: replacing a user's theme could hide what a question asks. */
function keepThemes(themes: Config['themes'], user: MergedConfig, ignore: Ignore): Config {
  if (themes === undefined) return {};
  const isTaken = (name: string): boolean => name === 'default' || user.config.themes?.[name] !== undefined;
  for (const name of Object.keys(themes).filter(isTaken)) ignore(['themes', name], 'it would replace your own.');
  return { themes: Object.fromEntries(Object.entries(themes).filter(([name]) => !isTaken(name))) };
}
