/**
 * MCP servers that a person configured for other agents: Claude Code, Codex and Gemini CLI. Rondo uses an agent's
 * servers once the person adopted them with `rondo mcp adopt`. That covers the servers as they were: after a change it
 * asks again. They are below the user's own configuration, and keep the origin of their file.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Environment } from '../ports/environment.ts';
import { parseConfig } from './config-file.ts';
import { layerFromValue, type ConfigLayer } from './config-layer.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import { serversInToml } from './codex-servers.ts';
import { readPrivateJson, updatePrivateJson } from './private-file.ts';

export const agentsWithServers = ['claude', 'codex', 'gemini'] as const;
export type AgentWithServers = (typeof agentsWithServers)[number];

interface ServerFile {
  readonly file: string;
  readonly read: (text: string) => unknown;
}

const serverFiles: Readonly<Record<AgentWithServers, ServerFile>> = {
  claude: { file: '.claude.json', read: serversInJson },
  codex: { file: '.codex/config.toml', read: serversInToml },
  gemini: { file: '.gemini/settings.json', read: serversInJson },
};

export interface FoundServers {
  readonly agent: AgentWithServers;
  readonly file: string;
  /** As entries of `mcpServers`, by name. */
  readonly servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly digest: string;
}

/** Undefined if the agent has none. */
export async function findServersOf(agent: AgentWithServers, userHome: string): Promise<FoundServers | undefined> {
  const { file: name, read } = serverFiles[agent];
  const file = path.join(userHome, name);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const servers = Object.fromEntries(Object.entries(recordOf(read(text))).flatMap(serverEntry));
  if (Object.keys(servers).length === 0) return undefined;
  return { agent, file, servers, digest: hash('sha256', JSON.stringify(servers), 'hex') };
}

/** The adopted servers as layers below the user's own. */
export async function readAdoptedServers(
  home: string,
  env: Environment,
): Promise<{ readonly layers: readonly ConfigLayer[]; readonly warnings: readonly ConfigProblem[] }> {
  const adopted = await adoptedAgents(home);
  const layers: ConfigLayer[] = [];
  const warnings: ConfigProblem[] = [];
  for (const [agent, digest] of adopted) {
    const found = await findServersOf(agent, env['HOME'] ?? '');
    if (found === undefined) continue;
    const { file, servers } = found;
    if (found.digest !== digest) {
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

export async function adoptServers(home: string, { agent, digest }: FoundServers): Promise<void> {
  await updatePrivateJson(fileIn(home), (value) => ({ ...recordOf(value), [agent]: digest }));
}

/** False if they weren't adopted. */
export async function dropServers(home: string, agent: AgentWithServers): Promise<boolean> {
  if (!(await adoptedAgents(home)).has(agent)) return false;
  await updatePrivateJson(fileIn(home), (value) =>
    Object.fromEntries(Object.entries(recordOf(value)).filter(([name]) => name !== agent)),
  );
  return true;
}

async function adoptedAgents(home: string): Promise<ReadonlyMap<AgentWithServers, string>> {
  const adopted = recordOf(await readPrivateJson(fileIn(home)));
  return new Map(
    agentsWithServers.flatMap((agent) => {
      const digest = adopted[agent];
      return typeof digest === 'string' ? [[agent, digest] as const] : [];
    }),
  );
}

function fileIn(home: string): string {
  return path.join(home, 'adopted-servers.json');
}

function serversInJson(text: string): unknown {
  try {
    return recordOf(JSON.parse(text))['mcpServers'];
  } catch {
    return undefined;
  }
}

/** Only what all of them mean alike. An entry that is switched off stays off. */
function serverEntry([name, value]: readonly [string, unknown]): readonly [string, Record<string, unknown>][] {
  const { command, args, env, cwd, url, httpUrl, headers, http_headers, type, ...more } = recordOf(value);
  const isOff = more['disabled'] === true || more['enabled'] === false;
  const address = httpUrl ?? url;
  // Gemini CLI means server-sent events by `url` and streamable HTTP by `httpUrl`.
  const entry =
    address === undefined
      ? { command, args, env, cwd }
      : { url: address, headers: headers ?? http_headers, ...(type === 'sse' && { type }) };
  const given = Object.entries(entry).filter(([, one]) => one !== undefined);
  if (given.length === 0) return [];
  return [[name, { ...Object.fromEntries(given), ...(isOff && { disabled: true }) }]];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
