/**
 * JSON-RPC 2.0 over lines, with an untrusted peer.
 *
 * 1. Messages are handled one by one in order of arrival: a response never overtakes notifications sent before it.
 *    The peer's requests start in order and are answered when done.
 * 2. Every end of our own request is a value. A request settles once; a second response is ignored.
 * 3. Lines that aren't messages are reported as `stray`. So is a line over the limit and a message that is nested too
 *    deep to be read safely. The request that they may have answered fails.
 */
import { stripVTControlCharacters } from 'node:util';

import { isJsonObject } from '../../kernel/json-object.ts';
import { jsonProblem } from '../../kernel/json-problem.ts';
import { createLineReader } from './json-lines.ts';

export type RpcResult =
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly type: 'timed-out' }
  | { readonly type: 'closed' };

export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

export interface RpcHandlers {
  /** `signal` aborts when the peer cancels the request, and with the reason `gone` when the peer disconnects. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<RpcAnswer>;
  notification(method: string, params: unknown): void;
  /** Called with a line that isn't a message. */
  stray(text: string): void;
  /** Called on each message of the peer, of any kind. */
  heard(): void;
  /** Called when everything in one chunk has been handled. */
  rested?(): void;
}

export interface RpcPeer {
  request(method: string, params: unknown, options?: { readonly timeoutMs?: number }): Promise<RpcResult>;
  notify(method: string, params: unknown): void;
  receive(chunk: Buffer): void;
  /** Settles all pending requests as closed. Afterwards nothing is sent or handled. */
  close(): void;
  /** How many of the peer's requests are unanswered. */
  readonly serving: number;
}

export const rpcCodes = {
  notFound: -32002,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

/** The abort reason of a peer's request that the peer didn't cancel itself. */
export const peerGone = 'gone';

/** Readers may walk a message recursively. A line this short can't be nested too deeply for that. */
const HARMLESS = 400;

const cancelMethod = '$/cancel_request';

export function createRpcPeer(
  send: (line: string) => void,
  handlers: RpcHandlers,
  limits: { readonly lineBytes: number; readonly requestsServed: number },
): RpcPeer {
  const waiting = new Map<number, (result: RpcResult) => void>();
  const serving = new Map<string, AbortController>();
  let nextId = 1;
  let isClosed = false;

  const lines = createLineReader(limits.lineBytes, {
    line(text) {
      let message: unknown;
      try {
        message = JSON.parse(text);
      } catch {
        return handlers.stray(text);
      }
      if (!isJsonObject(message)) return handlers.stray(text);
      handlers.heard();
      const { id, method } = message;
      if (id !== undefined && id !== null && typeof id !== 'number' && typeof id !== 'string')
        return handlers.stray(text);
      const problem = text.length < HARMLESS ? undefined : jsonProblem(message);
      if (problem === undefined) return handle(message);
      handlers.stray(`[a message was left out: ${problem.slice(0, 200)}]`);
      const error = {
        code: rpcCodes.invalidParams,
        message: `The message can't be read: ${problem.slice(0, 200)}.`,
      };
      if (method === undefined) handle({ id, error });
      else if (id !== undefined && id !== null) write({ id, error });
    },
    overlong(bytes, beginning) {
      handlers.stray(`[a line of ${bytes} bytes, more than the ${limits.lineBytes} that are read, was left out]`);
      const id = answeredId(beginning);
      const message = `its answer had ${bytes} bytes, more than the ${limits.lineBytes} that are read`;
      if (id !== undefined) waiting.get(id)?.({ type: 'error', code: rpcCodes.internal, message });
    },
  });

  function write(message: Readonly<Record<string, unknown>>): void {
    if (!isClosed) send(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  function handle(message: Readonly<Record<string, unknown>>): void {
    const { id, method, params } = message;
    if (typeof method === 'string') {
      if (id !== undefined && id !== null) return serve(id, method, params);
      if (method === cancelMethod) return withdraw(params);
      return handlers.notification(method, params);
    }
    if (typeof id !== 'number') return handlers.stray(JSON.stringify(message).slice(0, 200));
    const { error } = message;
    const settle = waiting.get(id);
    if (!isJsonObject(error)) return settle?.({ type: 'result', result: message['result'] });
    const code = typeof error['code'] === 'number' ? error['code'] : rpcCodes.internal;
    const reason = typeof error['message'] === 'string' ? error['message'] : 'an error without a message';
    settle?.({ type: 'error', code, message: reason, data: error['data'] });
  }

  function serve(id: unknown, method: string, params: unknown): void {
    if (serving.size >= limits.requestsServed) {
      return write({ id, error: { code: rpcCodes.internal, message: 'Too many requests at once.' } });
    }
    const key = JSON.stringify(id);
    const controller = new AbortController();
    serving.set(key, controller);
    handlers.request(method, params, controller.signal).then(
      (answer) => {
        serving.delete(key);
        write({ id, ...answer });
      },
      (error: unknown) => {
        serving.delete(key);
        const message = error instanceof Error ? error.message : String(error);
        write({ id, error: { code: rpcCodes.internal, message } });
      },
    );
  }

  function withdraw(params: unknown): void {
    const id = isJsonObject(params) ? (params['requestId'] ?? params['id']) : undefined;
    serving.get(JSON.stringify(id))?.abort();
  }

  return {
    request(method, params, { timeoutMs } = {}) {
      if (isClosed) return Promise.resolve({ type: 'closed' });
      const id = nextId;
      nextId += 1;
      return new Promise((resolve) => {
        const timer =
          timeoutMs === undefined ? undefined : setTimeout(() => settle({ type: 'timed-out' }), timeoutMs);
        const settle = (result: RpcResult) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(result);
        };
        waiting.set(id, settle);
        write({ id, method, params });
      });
    },
    notify: (method, params) => write({ method, params }),
    receive(chunk) {
      if (isClosed) return;
      lines.push(chunk);
      handlers.rested?.();
    },
    close() {
      isClosed = true;
      for (const settle of waiting.values()) settle({ type: 'closed' });
      for (const controller of serving.values()) controller.abort(peerGone);
    },
    get serving() {
      return serving.size;
    },
  };
}

/** The request that a truncated line answers, if its beginning shows the id. */
function answeredId(beginning: string): number | undefined {
  if (/"method"\s*:/.test(beginning)) return undefined;
  const idMatch = /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d+)/.exec(beginning);
  return idMatch === null ? undefined : Number(idMatch[1]);
}

/** Describes a response that isn't a result. */
export function wordsOf(answer: RpcResult): string {
  switch (answer.type) {
    case 'result':
      return 'its answer cannot be read';
    case 'error':
      return stripVTControlCharacters(`${answer.message}${detailsOf(answer.data)}`);
    case 'timed-out':
      return 'it did not answer in time';
    case 'closed':
      return 'its process is gone';
  }
}

/** The protocol's own libraries put a thrown error's message into `details`. */
function detailsOf(data: unknown): string {
  const details = isJsonObject(data) ? data['details'] : data;
  return typeof details === 'string' ? ` (${details.slice(0, 500)})` : '';
}
