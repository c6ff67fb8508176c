import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';

import type { AgentSpec } from './client/agent-spec.ts';
import { knownAgents, type KnownAgent } from './known-agents.ts';
import type { Environment } from '../ports/environment.ts';

export interface FoundAgent {
  readonly agent: KnownAgent;
  /** The path of its command. Absent if it isn't installed. */
  readonly file?: string;
}

/** The known agents, each with its command on PATH. */
export function findAgents(env: Environment): Promise<readonly FoundAgent[]> {
  return Promise.all(
    knownAgents.map(async (entry) => {
      const file = await onPath(entry.command, env);
      return file === undefined ? { agent: entry } : { agent: entry, file };
    }),
  );
}

/** How to start a known agent that is installed. */
export async function findAgent(name: string, env: Environment): Promise<AgentSpec | undefined> {
  const entry = knownAgents.find((agent) => agent.name === name);
  if (entry === undefined) return undefined;
  const file = await onPath(entry.command, env);
  if (file === undefined) return undefined;
  const { title: _, install: __, ...spec } = entry;
  return { ...spec, command: file, env: {} };
}

/** How to get a known agent. Undefined for other names. */
export function waysToGet(name: string): string | undefined {
  const entry = knownAgents.find((agent) => agent.name === name);
  if (entry === undefined) return undefined;
  return `To get ${entry.title}: ${entry.install}, or find it with \`rondo agents search ${name}\` (docs/guides/host-an-agent.md).`;
}

/** What is known of an agent besides its command: variables it may see, its login, its peculiarities. */
export function traitsOf(name: string): Partial<AgentSpec> {
  const entry = knownAgents.find((agent) => agent.name === name);
  if (entry === undefined) return {};
  const { title: _, install: __, command: ___, args: ____, ...traits } = entry;
  return traits;
}

async function onPath(command: string, env: Environment): Promise<string | undefined> {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of folders) {
    const file = path.join(folder, command);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      // Missing or not executable: try the next folder.
    }
  }
  return undefined;
}
