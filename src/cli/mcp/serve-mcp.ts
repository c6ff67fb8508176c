/** `rondo mcp`: an MCP server over the sessions of this store, on standard input and output or on a port. */
import { once } from 'node:events';
import path from 'node:path';

import { createLocalClient } from '../../assembly/local-client.ts';
import { rondoVersion } from '../../journal/rondo-version.ts';
import type { Actor } from '../../kernel/actor.ts';
import { optional } from '../../kernel/optional.ts';
import { sessionAroundSelf } from '../../processes/around-session.ts';
import { createCatalog } from '../serve/catalog.ts';
import { openWorkspace } from '../workspace.ts';
import { createSessionServer } from './session-server.ts';

interface ServeMcpOptions {
  readonly cwd: string;
  readonly agent?: string | undefined;
  readonly store?: string | undefined;
  readonly approvals?: boolean | undefined;
  /** Serves HTTP on this port instead. */
  readonly port?: number | undefined;
}

const by: Actor = { type: 'program', name: 'mcp' };

export async function serveMcp({ cwd, agent, store, approvals, port }: ServeMcpOptions): Promise<number> {
  const folder = path.resolve(cwd);
  await using workspace = await openWorkspace({ cwd: folder, ...optional({ store }) });
  const catalog = createCatalog(workspace);
  const client = (actor: Actor) =>
    createLocalClient({
      rondo: workspace.rondo,
      catalog,
      cwd: folder,
      by: actor,
      setup: { rules: workspace.rules },
    });
  const around = sessionAroundSelf();
  const place = {
    version: rondoVersion(),
    ...optional({ agent }),
    mayApprove: approvals === true && around === undefined,
    // An agent that started this server can't answer what another agent asks a person (S19).
    mayAnswer: around === undefined,
  };
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort());
  if (port !== undefined) {
    const { serveMcpHttp } = await import('./serve-http.ts');
    const { home, store: journal } = workspace;
    await using serving = await serveMcpHttp({ port, home, store: journal, client, place });
    console.error(`MCP server at ${serving.url}. Clients need a token: rondo token create NAME --role prompter`);
    await once(stopped.signal, 'abort');
    return 0;
  }
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  let hasClient = false;
  if (process.stdin.isTTY) console.error('Waiting for an MCP client on standard input. Ctrl+C ends it.');
  const serving = serveStdio(() => createSessionServer({ ...place, rondo: client(by), mayPrompt: true }), {
    onerror: (error) => void process.stderr.write(`${error.message}\n`),
  });
  process.stdin.once('data', () => (hasClient = true));
  await Promise.race([once(process.stdin, 'close'), once(process.stdin, 'end'), once(stopped.signal, 'abort')]);
  await serving.close();
  if (!hasClient && !stopped.signal.aborted)
    console.error(
      'rondo mcp: standard input ended before a client sent anything. An MCP client starts this command.',
    );
  return 0;
}
