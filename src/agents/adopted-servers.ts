/**
 * MCP servers that a person configured for other agents: Claude Code, Codex and Gemini CLI. Rondo uses an agent's
 * servers once the person adopted them with `rondo mcp adopt`. That covers the servers as they were: after a change it
 * asks again. Servers that the agent keeps for one project are adopted for that project only. Adopted servers are below
 * the user's own configuration, and keep the origin of their file.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { fieldsOf, jsonIn } from '../kernel/json-object.ts';
import { optional } from '../kernel/optional.ts';
import type { Environment } from '../ports/environment.ts';
import { parseConfig } from './config-file.ts';
import { layerFromValue, type ConfigLayer } from './config-layer.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import { serversInToml } from './codex-servers.ts';
import { readPrivateJson, updatePrivateJson } from './private-file.ts';
import type { Project } from './project.ts';
import { serverEntries, serversInGemini } from './server-entry.ts';

export const agentsWithServers = ['claude', 'codex', 'gemini'] as const;
export type AgentWithServers = (typeof agentsWithServers)[number];

interface ServerFile {
  readonly file: string;
  readonly read: (text: string) => unknown;
  /** The servers for one project. Only Claude Code keeps them in the user's own settings file. */
  readonly readProject?: (text: string, project: string) => unknown;
}

const serverFiles: Readonly<Record<AgentWithServers, ServerFile>> = {
  claude: { file: '.claude.json', read: serversInJson, readProject: projectServersInJson },
  codex: { file: '.codex/config.toml', read: serversInToml },
  gemini: { file: '.gemini/settings.json', read: (text) => serversInGemini(fieldsOf(jsonIn(text))) },
};

interface FoundServers {
  readonly agent: AgentWithServers;
  readonly file: string;
  /** The folder that they are for. Without it, they are for all projects. */
  readonly project?: string;
  /** As entries of `mcpServers`, by name. */
  readonly servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly digest: string;
}

/** The agent's servers for all projects, then those for this one. */
export async function findServersOf(
  agent: AgentWithServers,
  userHome: string,
  { identity, root }: Pick<Project, 'identity' | 'root'>,
): Promise<readonly FoundServers[]> {
  const { file: name, read, readProject } = serverFiles[agent];
  const file = path.join(userHome, name);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const serversIn = (given: unknown, project?: string): readonly FoundServers[] => {
    const servers = serverEntries(given);
    if (Object.keys(servers).length === 0) return [];
    return [
      { agent, file, servers, digest: hash('sha256', JSON.stringify(servers), 'hex'), ...optional({ project }) },
    ];
  };
  const folders = readProject === undefined ? [] : new Set([root, identity]);
  return [...serversIn(read(text)), ...[...folders].flatMap((one) => serversIn(readProject?.(text, one), one))];
}

/** The adopted servers as layers below the user's own. */
export async function readAdoptedServers(
  home: string,
  env: Environment,
  project: Pick<Project, 'identity' | 'root'>,
): Promise<{ readonly layers: readonly ConfigLayer[]; readonly warnings: readonly ConfigProblem[] }> {
  const adopted = await adoptedServers(home);
  const layers: ConfigLayer[] = [];
  const warnings: ConfigProblem[] = [];
  const agents = agentsWithServers.filter((agent) => [...adopted.keys()].some((key) => isOf(agent, key)));
  const all = await Promise.all(agents.map((agent) => findServersOf(agent, env['HOME'] ?? '', project)));
  for (const source of all.flat()) {
    const { agent, servers } = source;
    const file = source.project === undefined ? source.file : `${source.file} (for this project)`;
    const digest = adopted.get(keyOf(source));
    if (digest === undefined) continue;
    if (source.digest !== digest) {
      const message = `The MCP servers of ${agent} changed, so Rondo doesn't use them. Review and accept them with: rondo mcp adopt ${agent}`;
      warnings.push(problemAt({ file, ...wholeFile }, ['mcpServers'], 'dangling', message));
      continue;
    }
    const parsed = await parseConfig(JSON.stringify({ mcpServers: servers }), file, { from: env });
    if (parsed.type === 'invalid') warnings.push(...parsed.problems.map((one) => ({ ...one, ...wholeFile })));
    const config = parsed.type === 'read' ? parsed.file.config : parsed.rest?.config;
    if (config?.mcpServers !== undefined)
      layers.push(layerFromValue('user', file, { mcpServers: config.mcpServers }));
  }
  return { layers, warnings };
}

export async function adoptServers(home: string, sources: readonly FoundServers[]): Promise<void> {
  const digests = Object.fromEntries(sources.map((one) => [keyOf(one), one.digest]));
  await updatePrivateJson(fileIn(home), (value) => ({ ...fieldsOf(value), ...digests }));
}

/** In all projects. False if none were adopted. */
export async function dropServers(home: string, agent: AgentWithServers): Promise<boolean> {
  if (![...(await adoptedServers(home)).keys()].some((key) => isOf(agent, key))) return false;
  await updatePrivateJson(fileIn(home), (value) =>
    Object.fromEntries(Object.entries(fieldsOf(value)).filter(([key]) => !isOf(agent, key))),
  );
  return true;
}

/** Digests of adopted servers. */
async function adoptedServers(home: string): Promise<ReadonlyMap<string, unknown>> {
  return new Map(Object.entries(fieldsOf(await readPrivateJson(fileIn(home)))));
}

function keyOf({ agent, project }: Pick<FoundServers, 'agent' | 'project'>): string {
  return project === undefined ? agent : `${agent} ${project}`;
}

function isOf(agent: AgentWithServers, key: string): boolean {
  return key === agent || key.startsWith(`${agent} `);
}

function fileIn(home: string): string {
  return path.join(home, 'adopted-servers.json');
}

function serversInJson(text: string): unknown {
  return fieldsOf(jsonIn(text))['mcpServers'];
}

function projectServersInJson(text: string, project: string): unknown {
  return fieldsOf(fieldsOf(fieldsOf(jsonIn(text))['projects'])[project])['mcpServers'];
}
