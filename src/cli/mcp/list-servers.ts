import path from 'node:path';

import { createMcpLoginFile } from '../../assembly/tools/mcp-login-file.ts';
import { mcpServersFrom } from '../../assembly/tools/mcp-config.ts';
import { createMcpPinFile } from '../../assembly/tools/mcp-pin-file.ts';
import type { LoadedConfig } from '../../agents/config-layers.ts';
import { originOf } from '../../agents/merge-layers.ts';
import { createSystemClock } from '../../runtime/system-clock.ts';
import { loginAddress } from '../../tools/mcp/mcp-credentials.ts';
import { isStdio, type McpServerConfig } from '../../tools/mcp/server-config.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { configOf } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { printJson } from '../print-json.ts';
import { printTable } from '../print-table.ts';

interface ListedServer {
  readonly name: string;
  readonly from: string;
  readonly reached: string;
  readonly state: 'off' | 'ready' | 'needs login' | 'logged in' | 'not checked' | 'unavailable';
  readonly offers?: { readonly tools: number; readonly prompts: number; readonly resources: number };
  readonly problems?: readonly string[];
}

/** Starts nothing unless it checks. */
export async function listServers(
  cwd: string,
  { isChecking, isJson }: { readonly isChecking: boolean; readonly isJson: boolean },
): Promise<number> {
  const listed = await configuredServers(await configOf({ cwd }), (name, config) =>
    isChecking ? checked(name, config, cwd) : storedState(config).then((state) => ({ state })),
  );
  if (isJson) printJson({ servers: listed });
  else if (listed.length === 0) console.log('No MCP servers');
  else {
    const columns = ['server', 'from', 'state', { title: 'reached by', gives: true }];
    const rows = listed.map(({ name, from, state, offers, reached }) => [
      name,
      from,
      offers === undefined
        ? state
        : `${state}: ${offers.tools} tools, ${offers.prompts} prompts, ${offers.resources} resources`,
      visibleLine(reached),
    ]);
    printTable(columns, rows);
    for (const problem of listed.flatMap(({ problems = [] }) => problems)) console.error(visibleLine(problem));
  }
  return 0;
}

type Looked = Pick<ListedServer, 'state' | 'offers' | 'problems'>;

/** The servers of a folder's configuration. Without `look`, nothing is started. */
export function configuredServers(
  loaded: LoadedConfig,
  look: (name: string, config: McpServerConfig) => Promise<Looked> = async (_name, config) => ({
    state: await storedState(config),
  }),
): Promise<readonly ListedServer[]> {
  const servers = Object.entries(mcpServersFrom(loaded.config.mcpServers ?? {}));
  return Promise.all(
    servers.map(async ([name, config]): Promise<ListedServer> => {
      const from = fromOf(originOf(loaded, ['mcpServers', name]));
      const reached = isStdio(config) ? [config.command, ...(config.args ?? [])].join(' ') : config.url;
      const status: Looked = config.disabled === true ? { state: 'off' } : await look(name, config);
      return { name, from, reached, ...status };
    }),
  );
}

/** The layer, or the file of another agent. */
function fromOf(origin: ReturnType<typeof originOf>): string {
  if (origin === undefined) return '';
  const isOwn = origin.layer !== 'user' || path.basename(origin.file) === 'config.json';
  return isOwn ? origin.layer : origin.file;
}

export async function storedState(config: McpServerConfig): Promise<ListedServer['state']> {
  if (isStdio(config)) return 'not checked';
  const login = await createMcpLoginFile(homeFolder()).get(loginAddress(config.url));
  if (login?.wanted !== undefined) return 'needs login';
  return login?.tokens === undefined ? 'not checked' : 'logged in';
}

async function checked(name: string, config: McpServerConfig, cwd: string): Promise<Looked> {
  const { createMcpServers } = await import('../../tools/mcp/mcp-servers.ts');
  const home = homeFolder();
  const servers = createMcpServers({
    config: { [name]: config },
    clock: createSystemClock(),
    pins: createMcpPinFile(home),
    credentials: createMcpLoginFile(home),
  });
  try {
    const session = servers.open({ id: `check.${process.pid}`, cwd });
    const { tools, problems } = await session.tools();
    const state = [...session.status(), ...servers.status()].find((one) => one.name === name)?.state;
    if (state !== 'ready') return { state: state === 'needs-login' ? 'needs login' : 'unavailable', problems };
    const [prompts, resources] = await Promise.all([session.prompts(), session.resources()]);
    const offers = { tools: tools.length, prompts: prompts.items.length, resources: resources.items.length };
    return { state: 'ready', offers, problems: [...problems, ...prompts.problems] };
  } finally {
    await servers.close();
  }
}
