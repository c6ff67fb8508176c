/**
 * What an MCP server said of itself when it was first used, kept: a server that changes its tools later, or a
 * package that was replaced, doesn't reach the model before a person accepted the change (S15). The pin belongs to
 * command, arguments and address; another command is another server.
 */
import { hash } from 'node:crypto';

import type { Tool as McpToolDefinition } from '@modelcontextprotocol/client';

import { isStdio, type McpServerConfig } from './server-config.ts';

/** Digests of a server's tools by name, under the digest of how it is reached. */
export interface McpPin {
  readonly server: string;
  readonly tools: Readonly<Record<string, string>>;
}

export interface McpPins {
  /** The pin of that id; where there is none, this one from now on. */
  keep(id: string, pin: McpPin): Promise<McpPin>;
}

export interface PinnedTools {
  readonly tools: readonly McpToolDefinition[];
  readonly problems: readonly string[];
}

export async function pinnedTools(
  server: string,
  config: McpServerConfig,
  found: readonly McpToolDefinition[],
  pins: McpPins | undefined,
): Promise<PinnedTools> {
  if (pins === undefined) return { tools: found, problems: [] };
  const digests = Object.fromEntries(found.map((tool) => [tool.name, digestOf(tool)]));
  const kept = await pins.keep(pinId(server, config), { server, tools: digests });
  const isKept = (tool: McpToolDefinition) =>
    Object.hasOwn(kept.tools, tool.name) && kept.tools[tool.name] === digests[tool.name];
  const changed = found.filter((tool) => !isKept(tool)).map(({ name }) => name);
  const problems =
    changed.length === 0
      ? []
      : [
          `The MCP server ${server} changed since it was first used. Withheld: ${changed.join(', ')}. Accept the change with: rondo trust --mcp ${server}`,
        ];
  return { tools: found.filter(isKept), problems: [...problems, ...unpinned(server, config)] };
}

/** A package that is fetched by name alone may be another one tomorrow. */
function unpinned(server: string, config: McpServerConfig): readonly string[] {
  if (!isStdio(config) || !/(?:^|[/\\])(?:npx|bunx|uvx|pnpx)(?:\.cmd)?$/.test(config.command)) return [];
  const named = (config.args ?? []).find((word) => !word.startsWith('-'));
  if (named === undefined || /.@|==/.test(named)) return [];
  return [`The MCP server ${server} runs ${named} in whatever version is newest. Name one: ${named}@VERSION`];
}

function pinId(server: string, config: McpServerConfig): string {
  const reached = isStdio(config) ? [config.command, config.args ?? []] : [config.url];
  return hash('sha256', JSON.stringify([server, ...reached]), 'hex').slice(0, 32);
}

function digestOf({ name, title, description, inputSchema }: McpToolDefinition): string {
  return hash('sha256', JSON.stringify([name, title, description, inputSchema]), 'hex').slice(0, 32);
}
