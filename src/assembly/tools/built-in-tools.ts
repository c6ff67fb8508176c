/** The built-in tools and MCP servers, with secrets removed from their output. */
import path from 'node:path';

import { readPrivateJson, updatePrivateJson } from '../../agents/private-file.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Tool } from '../../ports/tool.ts';
import { createRedactor, createStreamRedactor } from '../../security/secrets/redact.ts';
import { reachOf, type SandboxSetting } from '../../security/sandbox/sandbox-setting.ts';
import { collectSecrets } from '../../security/secrets/secrets.ts';
import { createDefaultTools, type DefaultToolOptions } from '../../tools/default-tools.ts';
import type { McpServers, McpServersDeps } from '../../tools/mcp/mcp-servers.ts';
import { isStdio, type McpServerConfig, type McpServersConfig } from '../../tools/mcp/server-config.ts';
import { createMemoryNotes, type SavedNote, type NoteStore } from '../../tools/talk/notes-tool.ts';
import { createReadLedger } from '../../tools/define/read-ledger.ts';
import type { ToolRedaction } from '../../tools/define/redact-tool.ts';
import { createSkillTool, type SkillText } from '../../tools/talk/skill-tool.ts';
import type { SearchProvider } from '../../tools/web/web-search-tool.ts';
import { type ConfiguredSandbox, configuredSandbox } from './configured-sandbox.ts';
import { mcpSource } from './mcp-source.ts';
import { fixedTools, type SessionTools } from './session-tools.ts';
import { redactStage, toolPipeline } from './tool-pipeline.ts';
import { optional } from '../../kernel/optional.ts';
import type { Environment } from '../../ports/environment.ts';

export interface BuiltInToolOptions {
  readonly env: Environment;
  readonly clock: Clock;
  /** Where notes are stored. Without it they last as long as the process. */
  readonly home?: string;
  readonly mcpServers?: McpServersConfig;
  /** Names of the project's servers. They run in the sandbox. */
  readonly projectServers?: readonly string[];
  /** Values from configuration that must never be shown. */
  readonly secrets?: readonly string[];
  /** The sandbox level for commands. Default: `auto`. If the level is unavailable, commands are refused. */
  readonly sandbox?: SandboxSetting;
  readonly webSearch?: SearchProvider;
  /** Offered to the model by name and description. */
  readonly skills?: readonly SkillText[];
  /** Called once for each MCP server that can't be used, with the reason. */
  readonly onProblem?: (problem: string) => void;
  readonly more?: readonly Tool[];
  readonly tools?: Partial<DefaultToolOptions>;
}

export async function createBuiltInTools(options: BuiltInToolOptions): Promise<SessionTools> {
  const secrets = collectSecrets(options.env, options.secrets);
  const redaction: ToolRedaction = { whole: createRedactor(secrets), stream: () => createStreamRedactor(secrets) };
  const sandbox = configuredSandbox(options.sandbox, options.home);
  const tools = createDefaultTools({
    ledger: createReadLedger(),
    notes: options.home === undefined ? createMemoryNotes() : createFileNotes(path.join(options.home, 'notes')),
    shell: { sandbox },
    ...optional({ searchProvider: options.webSearch }),
    ...options.tools,
  });
  const skills =
    options.skills === undefined || options.skills.length === 0 ? [] : [createSkillTool(options.skills)];
  const { mcpServers = {} } = options;
  const sandboxes = new Map(
    (options.projectServers ?? []).map((name) => [name, serverSandbox(mcpServers[name], options)] as const),
  );
  const servers = await startServers(mcpServers, options, (name) => sandboxes.get(name));
  const built = toolPipeline(
    [fixedTools([...tools, ...skills]), mcpSource(() => servers, options.onProblem, redaction.whole)],
    [redactStage(redaction)],
  );
  return {
    ...toolPipeline([built, fixedTools(options.more ?? [])]),
    surroundings: () => ({ mcpServers, sandbox }),
    async [Symbol.asyncDispose]() {
      await servers?.close();
      await Promise.all([sandbox, ...sandboxes.values()].map(({ port }) => port[Symbol.asyncDispose]()));
    },
  };
}

/** The same confinement as for commands, with only the hosts that the server declares. */
function serverSandbox(server: McpServerConfig | undefined, options: BuiltInToolOptions): ConfiguredSandbox {
  const network = server !== undefined && isStdio(server) ? (server.hosts ?? []) : [];
  const { level } = reachOf(options.sandbox ?? 'auto');
  const setting = level === 'none' || level === 'container' ? level : 'auto';
  return configuredSandbox(network.length === 0 ? setting : { level: setting, network }, options.home);
}

async function startServers(
  config: McpServersConfig,
  { clock, home }: Pick<BuiltInToolOptions, 'clock' | 'home'>,
  sandboxOf: NonNullable<McpServersDeps['sandboxOf']>,
): Promise<McpServers | undefined> {
  if (Object.keys(config).length === 0) return undefined;
  const { createMcpServers } = await import('../../tools/mcp/mcp-servers.ts');
  const { createMcpPinFile } = await import('./mcp-pin-file.ts');
  const { createMcpLoginFile } = await import('./mcp-login-file.ts');
  return createMcpServers({
    config,
    clock,
    sandboxOf,
    ...(home !== undefined && { pins: createMcpPinFile(home), credentials: createMcpLoginFile(home) }),
  });
}

function createFileNotes(folder: string): NoteStore {
  const fileOf = (session: string) => path.join(folder, `${session}.json`);
  const notesIn = (value: unknown) => (Array.isArray(value) ? (value as readonly SavedNote[]) : []);
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
