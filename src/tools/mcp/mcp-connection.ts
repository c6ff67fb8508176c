import {
  Client,
  InsufficientScopeError,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';

import { optional } from '../../kernel/optional.ts';
import { childEnvironment } from '../../processes/child-environment.ts';
import type { ProcessMarker } from '../../processes/process-table.ts';
import { type CommandSandbox, inSandbox, type ReadyCommand } from '../../security/sandbox/command-sandbox.ts';
import { messageOf } from '../define/tool-failure.ts';
import { createServerFetch } from './http-fetch.ts';
import { createMcpAuthorization, type McpAuthorization } from './mcp-authorization.ts';
import type { McpCredentials } from './mcp-credentials.ts';
import { clientCapabilities, type ServerRequests } from './server-requests.ts';
import { isStdio, type McpServerConfig } from './server-config.ts';
import { createStdioTransport } from './stdio-transport.ts';

export interface McpConnection {
  readonly client: Client;
  /** Settles when the connection ends for any reason. No process of the server is left then. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
  /** Why a person must log in, if the server has refused a request. */
  needsLogin(): string | undefined;
  /** True if the error says that the server doesn't know the session any more. It hasn't handled the request then. */
  isSessionLost(error: unknown): boolean;
  /** Why Rondo ended the connection by itself. */
  endedFor(): string | undefined;
}

type McpOpened =
  | { readonly type: 'open'; readonly connection: McpConnection }
  /** A person must log in first. */
  | { readonly type: 'needs-login'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };

export interface McpEndpoint {
  readonly name: string;
  readonly config: McpServerConfig;
  /** The working directory of a server process, unless its configuration sets one. */
  readonly cwd: string;
  readonly marker: ProcessMarker;
  /** The sandbox for a server process. Without it, the process runs unsandboxed. */
  readonly sandbox?: CommandSandbox;
  /** Logins to remote servers. Without it, only configured headers are sent. */
  readonly credentials?: McpCredentials;
}

/** Starts or connects to a server and completes the handshake within a timeout. Never rejects. */
export async function openMcpConnection(
  endpoint: McpEndpoint,
  timeoutMs: number,
  requests: Pick<ServerRequests, 'attach'>,
): Promise<McpOpened> {
  const { config } = endpoint;
  const command = await confinedCommand(endpoint);
  if (command?.type === 'unavailable') return { type: 'failed', message: command.message };
  const authorization =
    isStdio(config) || endpoint.credentials === undefined
      ? undefined
      : createMcpAuthorization(config, endpoint.credentials);
  let endedFor: string | undefined;
  const onExcess = (problem: string): void => {
    endedFor = problem;
    void close().catch(() => undefined);
  };
  const { transport, explain } = transportFor(endpoint, { confined: command, authorization, onExcess });
  const client = new Client(
    { name: 'rondo', version: '1' },
    {
      capabilities: clientCapabilities,
      ...(isStdio(config) || config.type === 'sse' ? {} : { versionNegotiation: { mode: 'auto' } }),
    },
  );
  requests.attach(client);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  void closed.then(() => command?.finish());
  // The failing call reports its error. A stray line on stdout is ignored.
  Object.assign(client, { onclose: () => resolve(), onerror: () => undefined });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return closed;
    isOpen = false;
    try {
      await client.close();
    } finally {
      // A client that never reached its transport doesn't close it.
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
    const connection = {
      client,
      closed,
      close,
      needsLogin: () => authorization?.needsLogin(),
      isSessionLost: (error: unknown) => 'sessionId' in transport && isSessionRefusal(transport.sessionId, error),
      endedFor: () => endedFor,
    };
    return { type: 'open', connection };
  } catch (error) {
    await close().catch(() => undefined);
    if (error instanceof InsufficientScopeError) await authorization?.lacksScope(error.requiredScope);
    const login = authorization?.needsLogin();
    if (login !== undefined) return { type: 'needs-login', message: login };
    return { type: 'failed', message: explain(endedFor ?? messageOf(error)) };
  } finally {
    clearTimeout(timeout);
  }
}

/** The protocol says 404. Many servers say 400 and name the session. */
function isSessionRefusal(session: unknown, error: unknown): boolean {
  if (session === undefined || !(error instanceof SdkHttpError)) return false;
  return error.status === 404 || (error.status === 400 && /session/i.test(error.message));
}

async function confinedCommand({ config, cwd, sandbox }: McpEndpoint): Promise<ReadyCommand | undefined> {
  if (!isStdio(config) || sandbox === undefined) return undefined;
  const argv = [config.command, ...(config.args ?? [])];
  const env = childEnvironment(process.env, { set: config.env ?? {} });
  return await inSandbox({ argv, env, cwd: config.cwd ?? cwd }, [cwd, ...(config.folders ?? [])], sandbox);
}

interface TransportParts {
  readonly confined: Extract<ReadyCommand, { type: 'ready' }> | undefined;
  readonly authorization: McpAuthorization | undefined;
  readonly onExcess: (problem: string) => void;
}

function transportFor(
  { config, cwd, marker }: McpEndpoint,
  { confined, authorization, onExcess }: TransportParts,
): {
  readonly transport: Transport;
  readonly explain: (message: string) => string;
} {
  if (!isStdio(config)) {
    const url = new URL(config.url);
    const settings = {
      requestInit: { headers: config.headers ?? {} },
      ...optional({ authProvider: authorization?.provider }),
      onInsufficientScope: 'throw' as const,
      fetch: createServerFetch(onExcess),
    };
    const transport =
      config.type === 'sse'
        ? new SSEClientTransport(url, settings)
        : new StreamableHTTPClientTransport(url, settings);
    return { transport, explain: (message) => message };
  }
  const [command = '', ...args] = confined?.argv ?? [config.command, ...(config.args ?? [])];
  const transport = createStdioTransport(
    {
      command,
      args,
      cwd: config.cwd ?? cwd,
      environment: confined?.env ?? childEnvironment(process.env, { set: config.env ?? {} }),
      marker,
    },
    onExcess,
  );
  const explain = (message: string): string => {
    const words = transport.lastWords();
    return words === '' ? message : `${message}. Its stderr: ${words.slice(-500)}`;
  };
  return { transport, explain };
}
