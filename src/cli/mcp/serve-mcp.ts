/** `rondo mcp`: an MCP server on standard input and output over the sessions of this store. */
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
}

const by: Actor = { type: 'program', name: 'mcp' };

export async function serveMcp({ cwd, agent, store, approvals }: ServeMcpOptions): Promise<number> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const folder = path.resolve(cwd);
  await using workspace = await openWorkspace({ cwd: folder, ...optional({ store }) });
  const rondo = createLocalClient({
    rondo: workspace.rondo,
    catalog: createCatalog(workspace),
    cwd: folder,
    by,
    setup: { rules: workspace.rules },
  });
  const around = sessionAroundSelf();
  const place = {
    rondo,
    version: rondoVersion(),
    ...optional({ agent }),
    mayApprove: approvals === true && around === undefined,
    // An agent that started this server can't answer what another agent asks a person (S19).
    mayAnswer: around === undefined,
  };
  const serving = serveStdio(() => createSessionServer(place), {
    onerror: (error) => void process.stderr.write(`${error.message}\n`),
  });
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort());
  await Promise.race([once(process.stdin, 'close'), once(process.stdin, 'end'), once(stopped.signal, 'abort')]);
  await serving.close();
  return 0;
}
