/** MCP servers that a client lends to single sessions, in addition to configured ones. */
import type { Clock } from '../../ports/clock.ts';
import { createRedactor, createStreamRedactor } from '../../security/secrets/redact.ts';
import { collectSecrets } from '../../security/secrets/secrets.ts';
import { createMcpServers, type McpServers } from '../../tools/mcp/mcp-servers.ts';
import { mcpServersConfig, type McpServersConfig } from '../../tools/mcp/server-config.ts';
import { createMcpLoginFile } from './mcp-login-file.ts';
import { createMcpPinFile } from './mcp-pin-file.ts';
import { mcpSource } from './mcp-source.ts';
import { redactStage, toolPipeline, type ToolSource } from './tool-pipeline.ts';

interface LentServers {
  /** Replaces the session's lent servers. Returns the problems found, as text. */
  lend(session: string, servers: Readonly<Record<string, unknown>>): readonly string[];
  readonly tools: ToolSource;
}

interface LentServersDeps {
  readonly clock: Clock;
  /** Where their pins are stored. */
  readonly home: string;
  readonly onProblem: (problem: string) => void;
}

export function createLentServers({ clock, home, onProblem }: LentServersDeps): LentServers {
  const pins = createMcpPinFile(home);
  const credentials = createMcpLoginFile(home);
  const lent = new Map<string, { readonly config: McpServersConfig; readonly servers: McpServers }>();
  const secrets = collectSecrets(process.env);
  const redaction = { whole: createRedactor(secrets), stream: () => createStreamRedactor(secrets) };

  const source = mcpSource((session) => lent.get(session)?.servers, onProblem, redaction.whole);
  return {
    lend(session, servers) {
      void lent.get(session)?.servers.close();
      lent.delete(session);
      if (Object.keys(servers).length === 0) return [];
      const checked = mcpServersConfig.safeParse(servers);
      if (!checked.success) return [`MCP servers of session ${session}: ${checked.error.message}`];
      lent.set(session, {
        config: checked.data,
        servers: createMcpServers({ config: checked.data, clock, pins, credentials }),
      });
      return [];
    },
    tools: {
      ...toolPipeline([source], [redactStage(redaction)]),
      surroundings: ({ id }) => ({ mcpServers: lent.get(id)?.config ?? {} }),
      async [Symbol.asyncDispose]() {
        await Promise.all([...lent.values()].map(({ servers }) => servers.close()));
      },
    },
  };
}
