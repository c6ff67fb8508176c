/** What one folder's configuration provides: its agents, models, tools and standing rules. */
import type { LoadedConfig } from '../agents/config-layers.ts';
import { keysStamp, withStoredKeys } from '../agents/keys.ts';
import { originOf } from '../agents/merge-layers.ts';
import { savedRulesFor } from '../agents/saved-rules.ts';
import { findSkills, type Skill } from '../agents/skills.ts';
import { optional } from '../kernel/optional.ts';
import type { Rule } from '../kernel/rule.ts';
import type { Clock } from '../ports/clock.ts';
import { workspaceSecrets } from '../security/secrets/workspace-secrets.ts';
import type { AgentSource } from './agents/agent-source.ts';
import { configuredAgents, textSources } from './agents/configured-agents.ts';
import type { FoundModels } from './models/found-models.ts';
import { mcpServersFrom } from './tools/mcp-config.ts';
import { mcpLoginSecrets } from './tools/mcp-login-file.ts';
import { lazyTools, type SessionTools } from './tools/session-tools.ts';
import type { Environment } from '../ports/environment.ts';

export interface FolderParts {
  readonly config: LoadedConfig;
  readonly agents: AgentSource;
  readonly models: () => Promise<FoundModels>;
  readonly tools: SessionTools;
  skills(): Promise<readonly Skill[]>;
  /** Configured rules, and those saved by "always". */
  rules(): Promise<readonly Rule[]>;
}

interface FolderPlace {
  readonly home: string;
  readonly env: Environment;
  readonly clock: Clock;
  /** Called for MCP servers that can't be used. */
  readonly onProblem: (problem: string) => void;
}

export function createFolderParts(
  config: LoadedConfig,
  { home, env, clock, onProblem }: FolderPlace,
): FolderParts {
  let lookup: Promise<FoundModels> | undefined;
  let stamp = '';
  const findAll = async () => {
    const [{ findModels }, { modelsConfigFrom }] = await Promise.all([
      import('./models/found-models.ts'),
      import('./models/models-config.ts'),
    ]);
    const models = await modelsConfigFrom(config, home, env);
    const keyed = await withStoredKeys(home, env);
    const configured = Object.values(models.endpoints ?? {}).flatMap(({ apiKey }) => apiKey ?? []);
    const { collectSecrets } = await import('../security/secrets/secrets.ts');
    const secrets = collectSecrets(env, [
      ...configured,
      ...keyed.keys,
      ...(await workspaceSecrets(config.project.root)),
    ]);
    return findModels({ env: keyed.env, stored: keyed.stored, clock, config: models, secrets });
  };
  const skills = () => findSkills(textSources(config, env, home));
  return {
    config,
    skills,
    agents: configuredAgents(config, env, { home, now: () => clock.now() }),
    async models() {
      const current = await keysStamp(home);
      if (current !== stamp) lookup = undefined;
      stamp = current;
      return (lookup ??= findAll());
    },
    tools: lazyTools(async () => {
      const { createBuiltInTools } = await import('./tools/built-in-tools.ts');
      const { mcpServers, tools: settings } = config.config;
      return createBuiltInTools({
        env,
        clock,
        home,
        onProblem,
        skills: await skills(),
        secrets: [
          ...Object.values(config.config.endpoints ?? {}).flatMap(({ apiKey }) => apiKey ?? []),
          ...(await withStoredKeys(home, env)).keys,
          ...(await workspaceSecrets(config.project.root)),
          ...(mcpServers === undefined ? [] : await mcpLoginSecrets(home)),
        ],
        ...(mcpServers !== undefined && { mcpServers: mcpServersFrom(mcpServers) }),
        projectServers: Object.keys(mcpServers ?? {}).filter(
          (name) => originOf(config, ['mcpServers', name])?.layer === 'project',
        ),
        ...optional({ sandbox: settings?.sandbox, webSearch: settings?.webSearch }),
      });
    }),
    rules: async () => [...config.rules, ...(await savedRulesFor(home, config.project.identity))],
  };
}
