/** Agents installed from a registry: one folder per agent and version, and a record of what was agreed to. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { z } from 'zod';

import { Fault } from '../../kernel/fault.ts';
import type { AgentSpec } from '../client/agent-spec.ts';

const installed = z.object({
  title: z.string(),
  version: z.string(),
  /** The package or the archive's address. */
  from: z.string(),
  /** `sha512-…` of npm, or `sha256-…` of the archive. */
  integrity: z.string(),
  folder: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});
const record = z.record(z.string(), installed);

export type InstalledAgent = z.output<typeof installed>;

export function agentsFolder(home: string): string {
  return path.join(home, 'agents', 'installed');
}

export async function readInstalled(home: string): Promise<Readonly<Record<string, InstalledAgent>>> {
  const file = recordIn(home);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Fault('unreadable', `Can't read ${file}: ${(error as Error).message}`, { cause: error });
  }
  try {
    return record.parse(JSON.parse(text));
  } catch (error) {
    const message = `${file} is damaged. Delete it and add the agents again with \`rondo agents add\`.`;
    throw new Fault('unreadable', message, { cause: error });
  }
}

/** Replaces the record atomically. */
export async function writeInstalled(
  home: string,
  agents: Readonly<Record<string, InstalledAgent>>,
): Promise<void> {
  const file = recordIn(home);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, `${JSON.stringify(agents, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** How to start an installed agent. */
export async function installedAgent(name: string, home: string): Promise<AgentSpec | undefined> {
  const agents = await readInstalled(home);
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (agent === undefined) return undefined;
  const { command, args, env } = agent;
  return { name, command, args, env };
}

function recordIn(home: string): string {
  return path.join(agentsFolder(home), 'agents.json');
}
