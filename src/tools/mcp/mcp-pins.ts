/**
 * What an MCP server offered when it was first used, kept: a tool, a prompt or instructions that it changes or adds
 * later, or a package that was replaced, don't reach the model before a person accepted the change (S15). The pin
 * belongs to command, arguments and address; another command is another server.
 */
import { hash } from 'node:crypto';

import type { Prompt, Tool as McpToolDefinition } from '@modelcontextprotocol/client';

import { isStdio, type McpServerConfig } from './server-config.ts';

/** Digests of what a server offers of one kind, by name, under the digest of how it is reached. */
export interface McpPin {
  readonly server: string;
  readonly items: Readonly<Record<string, string>>;
}

export interface McpPins {
  /** The pin of that id; where there is none, this one from now on. */
  keep(id: string, pin: McpPin): Promise<McpPin>;
}

/** Which server, and the pins; without them whatever it offers now counts. */
export interface PinnedServer {
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

/** Rondo doesn't pass instructions on to the model; that they changed shows that the server did. */
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
      `The MCP server ${server} changed since it was first used. Withheld: ${named}. Accept the change with: rondo trust --mcp ${server}`,
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
