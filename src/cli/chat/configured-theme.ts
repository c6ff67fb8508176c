import type { LoadedConfig } from '../../agents/config-layers.ts';
import { resolveAgent } from '../../agents/resolve-agent.ts';
import type { Theme } from '../../terminal/theme.ts';

/** The theme that the configuration assigns to an agent. Falls back to `default`. */
export async function configuredTheme(config: LoadedConfig, agent: string): Promise<Theme> {
  const resolution = await resolveAgent(config, agent, process.env);
  const name = resolution.type === 'resolved' ? resolution.agent.theme : undefined;
  return config.config.themes?.[name ?? 'default'] ?? {};
}
