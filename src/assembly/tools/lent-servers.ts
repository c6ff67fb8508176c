/** MCP servers that a client lends to single sessions, in addition to configured ones. */
import type { State } from '../../kernel/state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Tool } from '../../ports/tool.ts';
import { createRedactor, createStreamRedactor } from '../../security/secrets/redact.ts';
import { collectSecrets } from '../../security/secrets/secrets.ts';
import { createMcpServers, type McpServers } from '../../tools/mcp/mcp-servers.ts';
import { mcpServersConfig, type McpServersConfig } from '../../tools/mcp/server-config.ts';
import { redactTool } from '../../tools/define/redact-tool.ts';
import { createMcpPinFile } from './mcp-pin-file.ts';
import { offeredTo, surroundingsOf, type SessionTools } from './session-tools.ts';

export interface LentServers {
  /** Replaces the session's lent servers. Returns the problems found, as text. */
  lend(session: string, servers: Readonly<Record<string, unknown>>): readonly string[];
  /** Adds a session's lent servers' tools after the given ones. A name already in use keeps its tool. */
  over(tools: SessionTools): SessionTools;
}

export interface LentServersDeps {
  readonly clock: Clock;
  /** Where their pins are stored. */
  readonly home: string;
  readonly onProblem: (problem: string) => void;
}

export function createLentServers({ clock, home, onProblem }: LentServersDeps): LentServers {
  const pins = createMcpPinFile(home);
  const lent = new Map<string, { readonly config: McpServersConfig; readonly servers: McpServers }>();
  const told = new Set<string>();
  const secrets = collectSecrets(process.env);
  const redaction = { whole: createRedactor(secrets), stream: () => createStreamRedactor(secrets) };

  async function toolsOf({ id, cwd, rules }: State, epoch: number | undefined): Promise<readonly Tool[]> {
    const found = lent.get(id);
    if (found === undefined) return [];
    const { tools, problems } = await found.servers
      .open({ id, cwd, ...(epoch !== undefined && { epoch }) })
      .tools(rules);
    for (const problem of problems.filter((one) => !told.has(one))) {
      told.add(problem);
      onProblem(problem);
    }
    return tools.map((tool) => redactTool(tool, redaction));
  }

  return {
    lend(session, servers) {
      void lent.get(session)?.servers.close();
      lent.delete(session);
      if (Object.keys(servers).length === 0) return [];
      const checked = mcpServersConfig.safeParse(servers);
      if (!checked.success) return [`MCP servers of session ${session}: ${checked.error.message}`];
      lent.set(session, {
        config: checked.data,
        servers: createMcpServers({ config: checked.data, clock, pins }),
      });
      return [];
    },
    over: (tools) => ({
      async get(name, state, epoch) {
        return (
          (await tools.get(name, state, epoch)) ?? (await toolsOf(state, epoch)).find((tool) => tool.name === name)
        );
      },
      async offered(state, epoch) {
        const own = await tools.offered(state, epoch);
        const names = new Set(own.map(({ name }) => name));
        const more = (await toolsOf(state, epoch)).filter(({ name }) => !names.has(name));
        return more.length === 0 ? own : [...own, ...offeredTo(state, more)];
      },
      async surroundings(state) {
        const own = await surroundingsOf(tools, state);
        return { ...own, mcpServers: { ...lent.get(state.id)?.config, ...own.mcpServers } };
      },
      keeps: (session) => (lent.get(session)?.servers.keeps(session) || tools.keeps?.(session)) ?? false,
      async release(session) {
        await Promise.all([lent.get(session)?.servers.leave(session), tools.release?.(session)]);
      },
      async [Symbol.asyncDispose]() {
        await Promise.all([...lent.values()].map(({ servers }) => servers.close()));
        await tools[Symbol.asyncDispose]();
      },
    }),
  };
}
