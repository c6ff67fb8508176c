// The MCP servers of a process: shared ones, and those of a single session.
import type { Prompt, Resource } from '@modelcontextprotocol/client';

import type { Rule } from '../../kernel/rule.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Tool } from '../../ports/tool.ts';
import type { CommandSandbox } from '../../security/sandbox/command-sandbox.ts';
import { createMcpServer, type McpAnswer, type McpServer, type McpStatus } from './mcp-server.ts';
import { acceptedPrompts, acceptedTools, problemOf, uniquelyNamed } from './mcp-offers.ts';
import { blockText } from './mcp-tool.ts';
import type { McpCredentials } from './mcp-credentials.ts';
import type { McpPins } from './mcp-pins.ts';
import type { McpServersConfig } from './server-config.ts';
import { optional } from '../../kernel/optional.ts';

export interface McpServers {
  /**
   * The servers a session may use. They start on demand. If opened under a newer epoch, the session's servers of
   * the older one end and new ones start.
   */
  open(session: SessionPlace): McpSession;
  status(): readonly McpStatus[];
  /** Ends the servers that belong to this session only. Opening it again starts new ones. */
  leave(session: string): Promise<void>;
  /** True if a server of this session runs. */
  keeps(session: string): boolean;
  close(): Promise<void>;
}

interface SessionPlace {
  readonly id: string;
  readonly cwd: string;
  /** The epoch of the session's owner, if the caller is that owner. */
  readonly epoch?: number;
}

interface OpenedServers {
  readonly epoch: number;
  readonly own: ReadonlyMap<string, McpServer>;
  readonly opened: McpSession;
}

const isUp: ReadonlySet<McpStatus['state']> = new Set(['starting', 'ready']);

interface OpenedPlace extends Required<SessionPlace> {
  /** The end of the servers of an older epoch, which must precede a start. */
  readonly after: Promise<void> | undefined;
}

export interface McpSession {
  /**
   * Lists the tools of all servers in parallel. A server that doesn't answer is reported as a problem and blocks
   * nothing. Rules are checked against the server's tool names.
   */
  tools(
    rules?: readonly Rule[],
  ): Promise<{ readonly tools: readonly Tool[]; readonly problems: readonly string[] }>;
  resources(): Promise<McpListing<Resource>>;
  readResource(server: string, uri: string): Promise<McpAnswer<readonly ReadResource[]>>;
  prompts(): Promise<McpListing<Prompt>>;
  getPrompt(server: string, name: string, args: Readonly<Record<string, string>>): Promise<McpAnswer<string>>;
  status(): readonly McpStatus[];
  /** Ends the servers that belong to this session only, with their process trees. Shared ones keep running. */
  close(): Promise<void>;
}

/** Text, or base64. */
export interface ReadResource {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

interface McpListing<Item> {
  readonly items: readonly { readonly server: string; readonly item: Item }[];
  readonly problems: readonly string[];
}

export interface McpServersDeps {
  readonly config: McpServersConfig;
  readonly clock: Clock;
  readonly idleMs?: number;
  readonly startMs?: number;
  /** The sandbox of a server. Servers from a project have one. */
  readonly sandboxOf?: (name: string) => CommandSandbox | undefined;
  /** The first offers of the servers. Without it, their current offers are accepted. */
  readonly pins?: McpPins;
  /** Logins to remote servers. Without it, only configured headers are sent. */
  readonly credentials?: McpCredentials;
  /** Marks the processes of shared servers. */
  readonly owner?: string;
}

export function createMcpServers(deps: McpServersDeps): McpServers {
  const { config, owner = 'shared' } = deps;
  const enabled = Object.entries(config).filter(([, server]) => server.disabled !== true);
  const shared = new Map<string, McpServer>();
  const sessions = new Map<string, OpenedServers>();

  const serverFor = (
    name: string,
    own: Map<string, McpServer>,
    { id, cwd, epoch, after }: OpenedPlace,
  ): McpServer => {
    const server = config[name];
    const isShared = server?.shared === true;
    const servers = isShared ? shared : own;
    const existing = servers.get(name);
    if (existing !== undefined || server === undefined) return existing ?? missingServer(name);
    const marker = isShared
      ? { session: `mcp.${owner}`, epoch: 0, effect: `mcp.${owner}.${name}` }
      : { session: id, epoch, effect: `${id}.mcp.${name}` };
    const sandbox = deps.sandboxOf?.(name);
    const created = createMcpServer(
      { name, config: server, cwd, marker, ...optional({ sandbox, credentials: deps.credentials }) },
      { ...deps, ...optional({ after }) },
    );
    servers.set(name, created);
    return created;
  };

  return {
    open: (session) => {
      const entry = sessions.get(session.id);
      const { epoch = entry?.epoch ?? 0 } = session;
      if (entry?.epoch === epoch) return entry.opened;
      const closing = entry?.opened.close();
      const own = new Map<string, McpServer>();
      const place = { ...session, epoch, after: closing };
      const all = () => enabled.map(([name, server]) => ({ server: serverFor(name, own, place), config: server }));
      const named = (name: string): McpServer =>
        enabled.some(([each]) => each === name) ? serverFor(name, own, place) : missingServer(name);
      const opened: McpSession = {
        tools: async (rules = []) => {
          const offers = await Promise.all(all().map((one) => acceptedTools(one, deps.pins, rules)));
          const { items, problems } = uniquelyNamed(offers.flatMap((offer) => offer.items));
          return { tools: items, problems: [...offers.flatMap((offer) => offer.problems), ...problems] };
        },
        resources: () =>
          listAll(all(), async (client, options) =>
            client.getServerCapabilities()?.resources === undefined
              ? []
              : (await client.listResources(undefined, options)).resources,
          ),
        readResource: (server, uri) =>
          named(server).use({
            ask: async (client, options) => {
              const { contents } = await client.readResource({ uri }, options);
              return contents.map((one) => ({
                uri: one.uri,
                ...('text' in one ? { text: one.text } : { blob: one.blob }),
                ...optional({ mimeType: one.mimeType }),
              }));
            },
          }),
        prompts: async () => {
          const offers = await Promise.all(
            all().map(async (one) => ({ server: one.server.name, ...(await acceptedPrompts(one, deps.pins)) })),
          );
          return {
            items: offers.flatMap(({ server, items }) => items.map((item) => ({ server, item }))),
            problems: offers.flatMap(({ problems }) => problems),
          };
        },
        getPrompt: async (server, name, args) => {
          const holder = all().find((one) => one.server.name === server);
          const { items, problems } =
            holder === undefined ? { items: [], problems: [] } : await acceptedPrompts(holder, deps.pins);
          if (holder !== undefined && !items.some((prompt) => prompt.name === name))
            return {
              type: 'failed',
              code: 'mcp-failed',
              message: problems[0] ?? `MCP server ${server} has no prompt ${JSON.stringify(name)}.`,
            };
          return await named(server).use({
            ask: async (client, options) => {
              const { messages } = await client.getPrompt({ name, arguments: { ...args } }, options);
              return messages.map(({ content }) => blockText(content)).join('\n\n');
            },
          });
        },
        status: () => all().map(({ server }) => server.status()),
        close: async () => {
          if (sessions.get(session.id)?.opened === opened) sessions.delete(session.id);
          await Promise.all([...own.values()].map((server) => server.close()));
        },
      };
      sessions.set(session.id, { epoch, own, opened });
      return opened;
    },
    leave: async (session) => sessions.get(session)?.opened.close(),
    keeps: (session) =>
      [...(sessions.get(session)?.own.values() ?? [])].some((server) => isUp.has(server.status().state)),
    status: () => [...shared.values()].map((server) => server.status()),
    close: async () => {
      await Promise.all([
        ...[...sessions.values()].map(({ opened }) => opened.close()),
        ...[...shared.values()].map((server) => server.close()),
      ]);
      shared.clear();
    },
  };
}

type Ask<Value> = Parameters<McpServer['use']>[0]['ask'] extends (...args: infer Args) => unknown
  ? (...args: Args) => Promise<Value>
  : never;

async function listAll<Item>(
  servers: readonly { readonly server: McpServer }[],
  ask: Ask<readonly Item[]>,
): Promise<McpListing<Item>> {
  const answers = await Promise.all(
    servers.map(async ({ server }) => ({ server: server.name, answer: await server.use({ ask }) })),
  );
  return {
    items: answers.flatMap(({ server, answer }) =>
      answer.type === 'answered' ? answer.value.map((item) => ({ server, item })) : [],
    ),
    problems: answers.flatMap(({ answer }) => (answer.type === 'answered' ? [] : [problemOf(answer)])),
  };
}

function missingServer(name: string): McpServer {
  return {
    name,
    use: async () => ({
      type: 'failed',
      code: 'mcp-unavailable',
      message: `Unknown MCP server ${JSON.stringify(name)}. Add it to mcpServers in the configuration.`,
    }),
    status: () => ({ name, state: 'closed', problem: 'not in the configuration' }),
    close: async () => undefined,
  };
}
