import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';

import { childEnvironment } from '../../processes/child-environment.ts';
import type { ProcessMarker } from '../../processes/process-table.ts';
import { messageOf } from '../tool-failure.ts';
import { isStdio, type McpServerConfig } from './server-config.ts';
import { createStdioTransport } from './stdio-transport.ts';

export interface McpConnection {
  readonly client: Client;
  /** Settles once the connection is over, whoever ended it; then nothing of the server runs. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export type McpOpened =
  | { readonly type: 'open'; readonly connection: McpConnection }
  | { readonly type: 'failed'; readonly message: string };

export interface McpEndpoint {
  readonly name: string;
  readonly config: McpServerConfig;
  /** Where a server that is a process runs unless its configuration says otherwise. */
  readonly cwd: string;
  readonly marker: ProcessMarker;
}

/** Starts or reaches a server and shakes hands with it, within a time. Never rejects. */
export async function openMcpConnection(endpoint: McpEndpoint, timeoutMs: number): Promise<McpOpened> {
  const { config } = endpoint;
  const { transport, explain } = transportFor(endpoint);
  const client = new Client(
    { name: 'rondo', version: '1' },
    isStdio(config) || config.type === 'sse' ? {} : { versionNegotiation: { mode: 'auto' } },
  );
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // An error is reported by the call that fails; a stray line on stdout matters to nobody.
  Object.assign(client, { onclose: () => resolve(), onerror: () => undefined });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return closed;
    isOpen = false;
    try {
      await client.close();
    } finally {
      // A client that never got to its transport does not close it.
      await transport.close();
      resolve();
    }
  };
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(
    () => timer.reject(new Error(`it did not answer within ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  try {
    await Promise.race([client.connect(transport, { timeout: timeoutMs }), timer.promise]);
    return { type: 'open', connection: { client, closed, close } };
  } catch (error) {
    await close().catch(() => undefined);
    return { type: 'failed', message: explain(messageOf(error)) };
  } finally {
    clearTimeout(timeout);
  }
}

function transportFor({ config, cwd, marker }: McpEndpoint): {
  readonly transport: Transport;
  readonly explain: (message: string) => string;
} {
  if (!isStdio(config)) {
    const url = new URL(config.url);
    const settings = { requestInit: { headers: config.headers ?? {} } };
    const transport =
      config.type === 'sse'
        ? new SSEClientTransport(url, settings)
        : new StreamableHTTPClientTransport(url, settings);
    return { transport, explain: (message) => message };
  }
  const transport = createStdioTransport({
    command: config.command,
    args: config.args ?? [],
    cwd: config.cwd ?? cwd,
    environment: childEnvironment(process.env, { set: config.env ?? {} }),
    marker,
  });
  const explain = (message: string): string => {
    const words = transport.lastWords();
    return words === '' ? message : `${message}. It wrote: ${words.slice(-500)}`;
  };
  return { transport, explain };
}
