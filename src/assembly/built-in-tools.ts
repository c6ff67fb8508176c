/** The built-in tools and MCP servers, with secrets taken out of whatever they give back. */
import path from 'node:path';

import { readPrivateJson, updatePrivateJson } from '../agents/private-file.ts';
import type { State } from '../kernel/state.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Tool } from '../runtime/tool.ts';
import { createBubblewrap } from '../security/bubblewrap.ts';
import { createRedactor, createStreamRedactor } from '../security/redact.ts';
import { withAllowList } from '../security/allow-list-sandbox.ts';
import { reachOf, type SandboxSetting } from '../security/sandbox-setting.ts';
import { collectSecrets } from '../security/secrets.ts';
import { createDefaultTools, type DefaultToolOptions } from '../tools/default-tools.ts';
import type { McpServersConfig } from '../tools/mcp/server-config.ts';
import { createMemoryNotes, type Note, type NoteStore } from '../tools/notes-tool.ts';
import { createReadLedger } from '../tools/read-ledger.ts';
import { redactTool, type Redaction } from '../tools/redact-tool.ts';
import type { SearchProvider } from '../tools/web-search-tool.ts';
import { fixedTools, offeredTo, type SessionTools } from './session-tools.ts';

export interface BuiltInToolOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Where notes are kept; without it they live as long as the process. */
  readonly home?: string;
  readonly mcpServers?: McpServersConfig;
  /** Values from configuration that must never be shown. */
  readonly secrets?: readonly string[];
  /** How far shell commands may reach; where it cannot be had they are refused, never run without it. */
  readonly sandbox?: SandboxSetting;
  readonly webSearch?: SearchProvider;
  /** Told once of each MCP server that cannot be used, and why. */
  readonly onProblem?: (problem: string) => void;
  readonly more?: readonly Tool[];
  readonly tools?: Partial<DefaultToolOptions>;
}

export async function builtInTools(options: BuiltInToolOptions): Promise<SessionTools> {
  const secrets = collectSecrets(options.env, options.secrets);
  const redaction: Redaction = { whole: createRedactor(secrets), stream: () => createStreamRedactor(secrets) };
  const reach = reachOf(options.sandbox ?? 'none');
  const sandbox = withAllowList(createBubblewrap(), reach.hosts);
  const commands = reach.level === 'none' ? {} : { sandbox: { port: sandbox, level: reach.level } };
  const tools = [
    ...createDefaultTools({
      ledger: createReadLedger(),
      notes: options.home === undefined ? createMemoryNotes() : createFileNotes(path.join(options.home, 'notes')),
      redaction,
      ...(commands.sandbox !== undefined && { shell: commands }),
      ...(options.webSearch !== undefined && { searchProvider: options.webSearch }),
      ...options.tools,
    }),
    ...(options.more ?? []),
  ];
  const { mcpServers = {} } = options;
  const made =
    Object.keys(mcpServers).length === 0
      ? fixedTools(tools)
      : await withMcpServers(tools, mcpServers, { ...options, redaction });
  return {
    ...made,
    surroundings: () => ({ mcpServers, ...commands }),
    async [Symbol.asyncDispose]() {
      await Promise.all([made[Symbol.asyncDispose](), sandbox[Symbol.asyncDispose]()]);
    },
  };
}

async function withMcpServers(
  tools: readonly Tool[],
  config: McpServersConfig,
  {
    clock,
    redaction,
    onProblem,
    home,
  }: Pick<BuiltInToolOptions, 'clock' | 'onProblem' | 'home'> & { readonly redaction: Redaction },
): Promise<SessionTools> {
  const { createMcpServers } = await import('../tools/mcp/mcp-servers.ts');
  const { createMcpPinFile } = await import('./mcp-pin-file.ts');
  const servers = createMcpServers({ config, clock, ...(home !== undefined && { pins: createMcpPinFile(home) }) });
  const told = new Set<string>();
  const all = async ({ id, cwd }: State, epoch: number | undefined) => {
    const found = await servers.open({ id, cwd, ...(epoch !== undefined && { epoch }) }).tools();
    for (const problem of found.problems) {
      if (told.has(problem)) continue;
      told.add(problem);
      onProblem?.(problem);
    }
    return [...tools, ...found.tools.map((tool) => redactTool(tool, redaction))];
  };
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    get: async (name, state, epoch) =>
      byName.get(name) ?? (await all(state, epoch)).find((tool) => tool.name === name),
    offered: async (state, epoch) => offeredTo(state, await all(state, epoch)),
    release: (session) => servers.leave(session),
    keeps: (session) => servers.keeps(session),
    [Symbol.asyncDispose]: () => servers.close(),
  };
}

function createFileNotes(folder: string): NoteStore {
  const fileOf = (session: string) => path.join(folder, `${session}.json`);
  const notesIn = (value: unknown) => (Array.isArray(value) ? (value as readonly Note[]) : []);
  return {
    list: async (session) => notesIn(await readPrivateJson(fileOf(session))),
    add: (session, note) =>
      updatePrivateJson(fileOf(session), (value) => {
        const notes = notesIn(value);
        return notes.some(({ id }) => id === note.id) ? notes : [...notes, note];
      }),
    clear: (session) => updatePrivateJson(fileOf(session), () => []),
  };
}
