// One MCP server, started on demand.
//
// 1. The first call starts it. It ends after `idleMs` without calls, or by `close`.
// 2. Every call settles: with a result, as cancelled, or as failed with a reason. A server that is silent, dead or
//    sends invalid messages costs at most the call's timeout.
// 3. After a failed start, Rondo waits before it retries. The pauses double up to a limit and reset once a server
//    has stayed up for a while.
// 4. A server that needs a login isn't retried until somebody has logged in.
// 5. A server over HTTP that was restarted refuses the old session. What it refused is sent once more in a new one.
// 6. A server that let a call time out and doesn't answer a ping either is ended.
import { type Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';

import type { Clock } from '../../ports/clock.ts';
import { messageOf } from '../define/tool-failure.ts';
import { type McpConnection, type McpEndpoint, openMcpConnection } from './mcp-connection.ts';
import { createPausableDeadline } from './pausable-deadline.ts';
import { type Caller, createServerRequests } from './server-requests.ts';
import { loginAddress } from './mcp-credentials.ts';
import { isStdio } from './server-config.ts';
import { optional } from '../../kernel/optional.ts';

export type McpAnswer<Value> =
  | { readonly type: 'answered'; readonly value: Value }
  | { readonly type: 'cancelled' }
  | {
      readonly type: 'failed';
      readonly code: 'mcp-unavailable' | 'mcp-died' | 'mcp-timed-out' | 'mcp-failed';
      readonly message: string;
    };

export interface McpServer {
  readonly name: string;
  use<Value>(request: McpRequest<Value>): Promise<McpAnswer<Value>>;
  status(): McpStatus;
  /** Ends the server and its process tree. Pending calls fail, and later ones are refused. */
  close(): Promise<void>;
}

interface McpRequest<Value> {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** The call that the server may ask and report to. */
  readonly caller?: Caller;
  ask(client: Client, options: { readonly signal?: AbortSignal; readonly timeout: number }): Promise<Value>;
}

export interface McpStatus {
  readonly name: string;
  readonly state: 'asleep' | 'starting' | 'ready' | 'resting' | 'needs-login' | 'closed';
  readonly problem?: string;
}

interface McpServerDeps {
  readonly clock: Clock;
  readonly idleMs?: number;
  readonly startMs?: number;
  /** The server starts only after this settles. */
  readonly after?: Promise<unknown>;
}

const IDLE = 10 * 60_000;
const START = 15_000;
const CALL = 60_000;
const PING = 3_000;
/** The longest timer. Each request has its own deadline. */
const NEVER = 2 ** 31 - 1;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
const STEADY = 60_000;

export function createMcpServer(endpoint: McpEndpoint, deps: McpServerDeps): McpServer {
  const { clock } = deps;
  const { name, config } = endpoint;
  const requests = createServerRequests(name, endpoint.cwd);
  let connection: McpConnection | undefined;
  let starting: Promise<McpConnection | undefined> | undefined;
  let ending: Promise<void> | undefined;
  let startedAt = 0;
  let pause = FIRST_PAUSE;
  let restUntil = -Infinity;
  let problem: string | undefined;
  let login: string | undefined;
  let inFlight = 0;
  let isClosed = false;
  let stopIdle = (): void => undefined;

  const rest = (why: string): void => {
    problem = why;
    restUntil = clock.ticks() + pause;
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  };
  const watch = async (open: McpConnection): Promise<void> => {
    await open.closed;
    if (connection !== open) return;
    connection = undefined;
    if (clock.ticks() - startedAt > STEADY) pause = FIRST_PAUSE;
    rest('it ended by itself');
  };
  const start = async (): Promise<McpConnection | undefined> => {
    await deps.after;
    await ending;
    const opened = await openMcpConnection(
      endpoint,
      Math.min(deps.startMs ?? START, config.timeout ?? START),
      requests,
    );
    starting = undefined;
    if (opened.type === 'needs-login') {
      login = opened.message;
      return undefined;
    }
    if (opened.type === 'failed') {
      rest(opened.message);
      return undefined;
    }
    if (isClosed) {
      await opened.connection.close();
      return undefined;
    }
    connection = opened.connection;
    startedAt = clock.ticks();
    problem = undefined;
    void watch(opened.connection);
    return opened.connection;
  };
  const connect = async (): Promise<McpConnection | undefined> => {
    if (isClosed) return undefined;
    if (connection !== undefined) return connection;
    if (login !== undefined && (await isLoginWanted(endpoint))) return undefined;
    login = undefined;
    if (starting === undefined && clock.ticks() < restUntil) return undefined;
    starting ??= start();
    return starting;
  };
  const end = async (): Promise<void> => {
    const open = connection;
    connection = undefined;
    ending = open?.close() ?? ending;
    await ending;
  };
  const endIfSilent = async (open: McpConnection): Promise<void> => {
    const timeout = AbortSignal.timeout(PING);
    await open.client.ping({ timeout: PING }).catch(async (error: unknown) => {
      const silent = timeout.aborted || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout);
      if (!silent || connection !== open) return;
      await end();
      rest('it stopped answering');
    });
  };
  const sleepWhenIdle = (): void => {
    stopIdle();
    if (inFlight === 0 && connection !== undefined)
      stopIdle = clock.at(clock.now() + (deps.idleMs ?? IDLE), () => void end());
  };
  const unavailable = (): McpAnswer<never> => {
    if (login !== undefined && !isClosed)
      return {
        type: 'failed',
        code: 'mcp-unavailable',
        message: `MCP server ${name} isn't available: ${login}. Run: rondo mcp login ${name}`,
      };
    const wait = Math.max(0, Math.ceil((restUntil - clock.ticks()) / 1000));
    const next = isClosed ? 'It ended with its session.' : `Next retry in ${wait} s.`;
    return {
      type: 'failed',
      code: 'mcp-unavailable',
      message: `MCP server ${name} isn't available: ${problem ?? 'it is closed'}. ${next}`,
    };
  };

  const sessionRefused = (): McpAnswer<never> => ({
    type: 'failed',
    code: 'mcp-failed',
    message: `MCP server ${name} refuses every session, even a new one.`,
  });

  const attempt = async <Value>(request: McpRequest<Value>): Promise<McpAnswer<Value> | 'lost-session'> => {
    const { signal } = request;
    const open = await orAborted(connect(), signal);
    if (open === 'aborted') return { type: 'cancelled' };
    if (open === undefined) return unavailable();
    const timeout = request.timeoutMs ?? config.timeout ?? CALL;
    using deadline = createPausableDeadline(timeout);
    const ended = AbortSignal.any([deadline.signal, ...(signal === undefined ? [] : [signal])]);
    const stop = request.caller === undefined ? undefined : requests.begin(request.caller, deadline.pause);
    try {
      const value = await orAborted(request.ask(open.client, { timeout: NEVER, signal: ended }), ended);
      if (value !== 'aborted') return { type: 'answered', value };
      throw new Error('The request ended.');
    } catch (error) {
      if (isAborted(signal)) return { type: 'cancelled' };
      login = open.needsLogin();
      if (login !== undefined) {
        await end();
        return unavailable();
      }
      if (open.isSessionLost(error)) {
        if (connection === open) await end();
        return 'lost-session';
      }
      if (deadline.signal.aborted) {
        void endIfSilent(open);
        return {
          type: 'failed',
          code: 'mcp-timed-out',
          message: `MCP server ${name} timed out after ${timeout / 1000} s.`,
        };
      }
      if (
        connection !== open ||
        open.endedFor() !== undefined ||
        isCode(error, SdkErrorCode.ConnectionClosed) ||
        isCode(error, SdkErrorCode.NotConnected)
      ) {
        const end = open.endedFor();
        const how = end === undefined ? 'exited before it answered' : `was disconnected: ${end}`;
        return {
          type: 'failed',
          code: 'mcp-died',
          message: `MCP server ${name} ${how}. It is unknown whether the call took effect.`,
        };
      }
      return {
        type: 'failed',
        code: 'mcp-failed',
        message: `MCP server ${name} returned an error: ${messageOf(error)}`,
      };
    } finally {
      stop?.();
    }
  };

  return {
    name,
    use: async (request) => {
      if (isAborted(request.signal)) return { type: 'cancelled' };
      inFlight += 1;
      stopIdle();
      try {
        const answer = await attempt(request);
        if (answer !== 'lost-session') return answer;
        const again = await attempt(request);
        return again === 'lost-session' ? sessionRefused() : again;
      } finally {
        inFlight -= 1;
        sleepWhenIdle();
      }
    },
    status: () => {
      const state = isClosed
        ? 'closed'
        : connection !== undefined
          ? 'ready'
          : starting !== undefined
            ? 'starting'
            : login !== undefined
              ? 'needs-login'
              : clock.ticks() < restUntil
                ? 'resting'
                : 'asleep';
      return { name, state, ...optional({ problem: login ?? problem }) };
    },
    close: async () => {
      isClosed = true;
      stopIdle();
      await starting;
      await end();
    },
  };
}

async function isLoginWanted({ config, credentials }: McpEndpoint): Promise<boolean> {
  if (isStdio(config) || credentials === undefined) return false;
  return (await credentials.get(loginAddress(config.url)))?.wanted !== undefined;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function isCode(error: unknown, code: SdkErrorCode): boolean {
  return error instanceof SdkError && error.code === code;
}

// A cancelled call returns immediately, even while the server is starting.
async function orAborted<Value>(
  value: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value | 'aborted'> {
  if (signal === undefined) return value;
  const { promise, resolve } = Promise.withResolvers<'aborted'>();
  const abort = () => resolve('aborted');
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([value, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
