import { optional } from '../../kernel/optional.ts';
import type { State } from '../../kernel/state.ts';
import type { Tool } from '../../ports/tool.ts';
import type { McpServers } from '../../tools/mcp/mcp-servers.ts';
import { offeredTo } from './session-tools.ts';
import type { ToolSource } from './tool-pipeline.ts';

/** The tools of a session's MCP servers. Reports each problem once. */
export function mcpSource(
  serversOf: (session: string) => McpServers | undefined,
  onProblem: ((problem: string) => void) | undefined,
  redact: (text: string) => string,
): ToolSource {
  const reported = new Set<string>();

  async function toolsOf({ id, cwd, rules }: State, epoch: number | undefined): Promise<readonly Tool[]> {
    const opened = serversOf(id)?.open({ id, cwd, ...optional({ epoch }) });
    const { tools, problems } = (await opened?.tools(rules)) ?? { tools: [], problems: [] };
    for (const problem of problems.filter((one) => !reported.has(one))) {
      reported.add(problem);
      onProblem?.(problem);
    }
    return tools;
  }

  return {
    get: async (name, state, epoch) => (await toolsOf(state, epoch)).find((tool) => tool.name === name),
    offered: async (state, epoch) => offeredTo(state, await toolsOf(state, epoch)),
    texts: async ({ id, cwd }) => {
      const opened = serversOf(id)?.open({ id, cwd });
      if (opened === undefined) return undefined;
      const { serverTexts } = await import('../../tools/mcp/read-server-texts.ts');
      return serverTexts(opened, redact);
    },
    release: async (session) => serversOf(session)?.leave(session),
    keeps: (session) => serversOf(session)?.keeps(session) ?? false,
  };
}
