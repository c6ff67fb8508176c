/**
 * The session's MCP servers as offered to its agent, each over a transport that the agent supports. Environment and
 * headers of a server go to the agent only and are never recorded.
 */
import type { AgentMcpServer } from './agent-spec.ts';

interface ServerTransports {
  readonly http: boolean;
  readonly sse: boolean;
}

export interface OfferedServers {
  readonly servers: readonly Readonly<Record<string, unknown>>[];
  /** Why servers aren't offered, for display to people. */
  readonly withheld: readonly string[];
}

export function offeredServers(
  configured: Readonly<Record<string, AgentMcpServer>>,
  agent: string,
  takes: ServerTransports,
): OfferedServers {
  const servers: Readonly<Record<string, unknown>>[] = [];
  const withheld: string[] = [];
  for (const [name, server] of Object.entries(configured)) {
    if (server.disabled === true) continue;
    if (server.isLimited === true) {
      const why = 'the agent would make its calls itself, past the rules on its tools.';
      withheld.push(`${agent} was not given the MCP server ${name}: ${why}`);
      continue;
    }
    if ('command' in server) {
      servers.push({ name, ...startOf(server), env: pairsOf(server.env) });
      continue;
    }
    const type = server.type === 'sse' ? 'sse' : 'http';
    if (takes[type]) servers.push({ type, name, url: server.url, headers: pairsOf(server.headers) });
    else withheld.push(`${agent} was not given the MCP server ${name}: it takes none over ${type}.`);
  }
  return { servers, withheld };
}

/** The protocol has no folder for a server, so a shell changes into it first. */
function startOf({ command, args = [], cwd }: Extract<AgentMcpServer, { command: string }>) {
  if (cwd === undefined) return { command, args };
  return { command: '/bin/sh', args: ['-c', 'cd "$1" && shift && exec "$@"', 'sh', cwd, command, ...args] };
}

function pairsOf(values: Readonly<Record<string, string>> = {}) {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
