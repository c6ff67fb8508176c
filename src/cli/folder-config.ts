/** Loads a folder's configuration for commands. */
import path from 'node:path';

import { testing } from '../agents/default-agent.ts';
import { loadConfig, type LoadConfig, type LoadedConfig } from '../agents/config-layers.ts';
import { problemToText } from '../agents/config-problem.ts';
import type { Config } from '../agents/config-schema.ts';
import { printable } from '../views/printable.ts';
import { homeFolder } from './home.ts';
import { configurationError } from './usage-error.ts';
import { optional } from '../kernel/optional.ts';

export interface ConfigOptions {
  readonly cwd: string;
  readonly configFile?: string;
  readonly flags?: Config;
  /** Use the project's own configuration for this command although it isn't trusted. */
  readonly trustProject?: boolean;
  readonly check?: 'everything';
  /** For commands that read and stop sessions: a file that an agent can break must not prevent that. */
  readonly broken?: 'left-out';
}

/** An error in it is reported with its location and ends the command. */
export async function configOf(options: ConfigOptions): Promise<LoadedConfig> {
  const loaded = await readConfig(options);
  if (loaded.type === 'loaded') {
    for (const warning of loaded.config.warnings) warnOnce(`warning: ${problemToText(warning)}`);
    return loaded.config;
  }
  throw configurationError(loaded.problems.map(problemToText).join('\n'));
}

const warned = new Set<string>();

/** A command may load the configuration of several folders, several times. */
function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  console.error(printable(text));
}

export function readConfig({
  cwd,
  configFile,
  flags,
  trustProject,
  check,
  broken,
}: ConfigOptions): Promise<LoadConfig> {
  return loadConfig({
    home: homeFolder(),
    cwd: path.resolve(cwd),
    env: process.env,
    otherAgents: [testing],
    ...optional({ file: configFile, flags, check, broken }),
    ...(trustProject === true && { trust: 'this-run' as const }),
  });
}
