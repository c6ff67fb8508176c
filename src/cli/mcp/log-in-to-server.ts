import { createInterface } from 'node:readline';

import { createMcpLoginFile } from '../../assembly/tools/mcp-login-file.ts';
import { mcpServersFrom } from '../../assembly/tools/mcp-config.ts';
import { nearestName } from '../../kernel/nearest-name.ts';
import { loginAddress } from '../../tools/mcp/mcp-credentials.ts';
import { isStdio, type McpHttpConfig } from '../../tools/mcp/server-config.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { configOf } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { usageError } from '../usage-error.ts';

const loginMs = 10 * 60_000;

export async function logInToServer(cwd: string, name: string | undefined): Promise<number> {
  const server = await remoteServer(cwd, name);
  const { logInToMcpServer } = await import('../../tools/mcp/mcp-login.ts');
  const stopped = new AbortController();
  process.once('SIGINT', () => stopped.abort());
  using pasted = pastedLines();
  const outcome = await logInToMcpServer({
    config: server.config,
    credentials: createMcpLoginFile(homeFolder()),
    signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(loginMs)]),
    show({ address, paste }) {
      console.error(`MCP server ${server.name} wants you to log in at ${address.host}.`);
      console.error(`Open this page in your browser:\n\n  ${address.href}\n`);
      if (pasted.isPossible)
        console.error('Browser on another machine? Paste the address of the page it ends on here.');
      pasted.onLine((line) => {
        if (!paste(line)) console.error("That isn't the address of this login. Paste it in full.");
      });
    },
  });
  switch (outcome.type) {
    case 'logged-in':
      console.log(`Logged in to MCP server ${server.name}.`);
      return 0;
    case 'not-needed':
      console.log(`MCP server ${server.name} doesn't ask for a login.`);
      return 0;
    case 'failed':
      console.error(
        `rondo mcp: not logged in to ${server.name}: ${visibleLine(outcome.message)} Try again: rondo mcp login ${server.name}`,
      );
      return 1;
  }
}

export async function logOutOfServer(cwd: string, name: string | undefined): Promise<number> {
  const server = await remoteServer(cwd, name);
  const credentials = createMcpLoginFile(homeFolder());
  const address = loginAddress(server.config.url);
  const isKnown = (await credentials.get(address)) !== undefined;
  if (isKnown) await credentials.update(address, () => undefined);
  console.log(
    isKnown ? `Logged out of MCP server ${server.name}.` : `Not logged in to MCP server ${server.name}.`,
  );
  return 0;
}

async function remoteServer(
  cwd: string,
  name: string | undefined,
): Promise<{ readonly name: string; readonly config: McpHttpConfig }> {
  const { config } = await configOf({ cwd });
  const servers = mcpServersFrom(config.mcpServers ?? {});
  const remote = Object.keys(servers).filter((one) => isRemote(servers[one]));
  const list = remote.length === 0 ? 'No remote server is configured.' : `Remote servers: ${remote.join(', ')}.`;
  if (name === undefined) throw usageError(`Name a server. ${list}`);
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (server === undefined) {
    const nearest = nearestName(name, remote);
    throw usageError(`Unknown MCP server ${name}. ${nearest === undefined ? list : `Did you mean ${nearest}?`}`);
  }
  if (isStdio(server)) throw usageError(`MCP server ${name} is a local program and needs no login here. ${list}`);
  return { name, config: server };
}

function isRemote(config: Parameters<typeof isStdio>[0] | undefined): boolean {
  return config !== undefined && !isStdio(config);
}

/** Lines that a person types while the login waits. */
function pastedLines() {
  const isPossible = process.stdin.isTTY;
  const lines = isPossible ? createInterface({ input: process.stdin }) : undefined;
  return {
    isPossible,
    onLine: (call: (line: string) => void) => void lines?.on('line', (line) => call(line.trim())),
    [Symbol.dispose]: () => lines?.close(),
  };
}
