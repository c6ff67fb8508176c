/**
 * Records what an MCP server offered on first use. If the server later changes or adds a tool, a prompt or
 * instructions, or its package is replaced, the change doesn't reach the model until the user accepts it (S15). A
 * pin is tied to command, arguments and URL: another command is another server.
 */
import { hash } from 'node:crypto';

import type { Prompt, Tool as McpToolDefinition } from '@modelcontextprotocol/client';

import { isStdio, type McpServerConfig } from './server-config.ts';

/** Digests of a server's offers of one kind, by name, under the digest of its command or URL. */
export interface McpPin {
  readonly server: string;
  readonly items: Readonly<Record<string, string>>;
}

export interface McpPins {
  /** Returns the pin with that id, or stores this one if there is none. */
  keep(id: string, pin: McpPin): Promise<McpPin>;
}

/** The server and its pins. Without pins, its current offers are accepted. */
interface PinnedServer {
  readonly server: string;
  readonly config: McpServerConfig;
  readonly pins: McpPins | undefined;
}

export interface Pinned<Item> {
  readonly items: readonly Item[];
  readonly problems: readonly string[];
}

export function pinnedTools(
  pinned: PinnedServer,
  tools: readonly McpToolDefinition[],
): Promise<Pinned<McpToolDefinition>> {
  return pinnedItems(pinned, 'tools', tools, ({ title, description, inputSchema, outputSchema, annotations }) => [
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
  ]);
}

export function pinnedPrompts(pinned: PinnedServer, prompts: readonly Prompt[]): Promise<Pinned<Prompt>> {
  return pinnedItems(pinned, 'prompts', prompts, ({ title, description, arguments: args }) => [
    title,
    description,
    args,
  ]);
}

/** Rondo doesn't pass instructions to the model, but a change in them shows that the server changed. */
export async function instructionProblems(
  pinned: PinnedServer,
  instructions: string | undefined,
): Promise<readonly string[]> {
  const text = instructions ?? '';
  const { problems } = await pinnedItems(pinned, 'instructions', [{ name: 'instructions', text }], (one) => [
    one.text,
  ]);
  return problems;
}

async function pinnedItems<Item extends { readonly name: string }>(
  { server, config, pins }: PinnedServer,
  kind: 'tools' | 'prompts' | 'instructions',
  items: readonly Item[],
  content: (item: Item) => unknown,
): Promise<Pinned<Item>> {
  if (pins === undefined) return { items, problems: [] };
  const digests = new Map(items.map((item) => [item, digestOf([item.name, content(item)])]));
  const now = Object.fromEntries([...digests].map(([{ name }, digest]) => [name, digest]));
  const kept = await pins.keep(pinId(server, config, kind), { server, items: now });
  const isKept = (item: Item) =>
    Object.hasOwn(kept.items, item.name) && kept.items[item.name] === digests.get(item);
  const changed = items.filter((item) => !isKept(item)).map(({ name }) => name);
  if (changed.length === 0) return { items, problems: [] };
  const named =
    kind === 'tools' ? changed.join(', ') : kind === 'prompts' ? `prompts ${changed.join(', ')}` : kind;
  return {
    items: items.filter(isKept),
    problems: [
      `MCP server ${server} changed since its first use. Withheld: ${named}. Accept the change with: rondo trust --mcp ${server}`,
    ],
  };
}

function pinId(server: string, config: McpServerConfig, kind: string): string {
  const reached = isStdio(config) ? [config.command, config.args ?? []] : [config.url];
  return digestOf([server, kind, ...reached]);
}

function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'hex').slice(0, 32);
}
