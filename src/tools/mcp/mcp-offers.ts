/** The offers of a server that the user accepted: the only way its tools and prompts reach a session (S15). */
import type { Prompt, Tool as McpToolDefinition } from '@modelcontextprotocol/client';

import { jsonProblem } from '../../kernel/json-problem.ts';
import { nearestName } from '../../kernel/nearest-name.ts';
import type { Rule } from '../../kernel/rule.ts';
import type { Tool } from '../../ports/tool.ts';
import { instructionProblems, pinnedPrompts, pinnedTools, type Pinned, type McpPins } from './mcp-pins.ts';
import type { McpAnswer, McpServer } from './mcp-server.ts';
import { checkMcpRules } from './mcp-rules.ts';
import { createMcpTool, mcpToolName } from './mcp-tool.ts';
import type { McpServerConfig } from './server-config.ts';
import { unpinnedPackage } from './unpinned-package.ts';

interface OfferingServer {
  readonly server: McpServer;
  readonly config: McpServerConfig;
}

export async function acceptedTools(
  { server, config }: OfferingServer,
  pins: McpPins | undefined,
  rules: readonly Rule[],
): Promise<Pinned<Tool>> {
  const answer = await server.use({
    ask: async (client, options) => ({
      instructions: client.getInstructions(),
      tools:
        client.getServerCapabilities()?.tools === undefined
          ? []
          : (await client.listTools(undefined, options)).tools,
    }),
  });
  if (answer.type !== 'answered') return { items: [], problems: [problemOf(answer)] };
  const pinned = { server: server.name, config, pins };
  const offered = offeredTools(server.name, answer.value.tools);
  const { items, problems } = await pinnedTools(pinned, offered.items);
  const names = offered.items.map(({ name }) => mcpToolName(server.name, name));
  const checked = checkMcpRules(server.name, names, rules);
  return {
    items:
      checked.type === 'refused'
        ? []
        : items
            .filter(({ name }) => mayBeUsed(name, config))
            .map((definition) => createMcpTool(server, config, definition)),
    problems: [
      ...checked.problems,
      ...unknownNames(
        server.name,
        offered.items.map(({ name }) => name),
        config,
      ),
      ...offered.problems,
      ...problems,
      ...(await instructionProblems(pinned, answer.value.instructions)),
      ...unpinnedPackage(server.name, config),
    ],
  };
}

/** A tool that is left out under a wrong name would stay in use, so each name must fit (S10). */
function unknownNames(server: string, tools: readonly string[], config: McpServerConfig): readonly string[] {
  const named = [...(config.includeTools ?? []), ...(config.excludeTools ?? [])];
  return named
    .filter((name) => !tools.includes(name))
    .map((name) => {
      const nearest = nearestName(name, tools);
      const hint = nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
      return `MCP server ${server} has no tool ${JSON.stringify(name)}, which its configuration names.${hint}`;
    });
}

/** What the configuration leaves of a server's tools. */
function mayBeUsed(tool: string, { includeTools, excludeTools = [] }: McpServerConfig): boolean {
  return (includeTools?.includes(tool) ?? true) && !excludeTools.includes(tool);
}

const MOST_TOOLS = 500;

/** The tools that a model can be offered: not too many, and described in JSON that can be read. */
function offeredTools(server: string, tools: readonly McpToolDefinition[]): Pinned<McpToolDefinition> {
  const first = tools.slice(0, MOST_TOOLS);
  const unreadable = first.filter((tool) => jsonProblem(tool) !== undefined);
  return {
    items: first.filter((tool) => !unreadable.includes(tool)),
    problems: [
      ...(tools.length > MOST_TOOLS
        ? [`MCP server ${server} offers ${tools.length} tools. Only the first ${MOST_TOOLS} are used.`]
        : []),
      ...unreadable.map(
        ({ name }) => `MCP server ${server} describes its tool ${name} in a way that can’t be read.`,
      ),
    ],
  };
}

export async function acceptedPrompts(
  { server, config }: OfferingServer,
  pins: McpPins | undefined,
): Promise<Pinned<Prompt>> {
  const answer = await server.use({
    ask: async (client, options) =>
      client.getServerCapabilities()?.prompts === undefined
        ? []
        : (await client.listPrompts(undefined, options)).prompts,
  });
  if (answer.type !== 'answered') return { items: [], problems: [problemOf(answer)] };
  return await pinnedPrompts({ server: server.name, config, pins }, answer.value);
}

/** Two tools with one name could be confused, so the model gets neither. */
export function uniquelyNamed(tools: readonly Tool[]): Pinned<Tool> {
  const byName = Map.groupBy(tools, ({ name }) => name);
  const doubled = [...byName].filter(([, same]) => same.length > 1).map(([name]) => name);
  return {
    items: tools.filter(({ name }) => !doubled.includes(name)),
    problems: doubled.map((name) => `Two MCP tools are named ${name}, so both are withheld.`),
  };
}

export function problemOf(answer: Exclude<McpAnswer<unknown>, { type: 'answered' }>): string {
  return answer.type === 'failed' ? answer.message : 'The listing was cancelled.';
}
