/**
 * JSON-RPC 2.0 over lines, with a peer that may do anything.
 *
 * 1. Messages are handled in the order they came, each one before the next: an answer never overtakes the
 *    notifications sent before it. Requests of the peer are begun in order and answered when they are done.
 * 2. Every ending of a request of ours is a value; a request settles once, a second answer is passed over.
 * 3. Lines that are no messages are told as `stray`; a line beyond the limit too, and the request it was
 *    perhaps the answer to fails.
 */
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
  /** `signal` aborts when the peer takes the request back, and with the reason `gone` when it is no more. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<RpcAnswer>;
  notification(method: string, params: unknown): void;
  /** Something that is no message. */
  stray(text: string): void;
  /** A message of the peer, of whatever kind, has come. */
  heard(): void;
  /** All that came in one piece has been handled. */
  rested?(): void;
}

export interface RpcPeer {
  request(method: string, params: unknown, options?: { readonly timeoutMs?: number }): Promise<RpcResult>;
  notify(method: string, params: unknown): void;
  receive(chunk: Buffer): void;
  /** Whatever waits is settled as closed, and nothing is sent or handled any more. */
  close(): void;
  /** Requests of the peer that have no answer yet. */
  readonly serving: number;
}

export const rpcCodes = {
  notFound: -32002,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

/** Why a request of the peer is no longer waited for, where the peer did not take it back. */
export const peerGone = 'gone';

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
      if (!isRecord(message)) return handlers.stray(text);
      handlers.heard();
      handle(message);
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
    if (!isRecord(error)) return settle?.({ type: 'result', result: message['result'] });
    const code = typeof error['code'] === 'number' ? error['code'] : rpcCodes.internal;
    const said = typeof error['message'] === 'string' ? error['message'] : 'an error without a message';
    settle?.({ type: 'error', code, message: said, data: error['data'] });
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
    const id = isRecord(params) ? (params['requestId'] ?? params['id']) : undefined;
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

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The request a cut-off line was the answer to, as far as its beginning tells. */
function answeredId(beginning: string): number | undefined {
  if (/"method"\s*:/.test(beginning)) return undefined;
  const found = /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d+)/.exec(beginning);
  return found === null ? undefined : Number(found[1]);
}

/** What came instead of a result, in words. */
export function wordsOf(answer: RpcResult): string {
  switch (answer.type) {
    case 'result':
      return 'its answer cannot be read';
    case 'error':
      return `${answer.message}${detailsOf(answer.data)}`;
    case 'timed-out':
      return 'it did not answer in time';
    case 'closed':
      return 'its process is gone';
  }
}

/** The protocol's own libraries put the words of a thrown error into `details`. */
function detailsOf(data: unknown): string {
  const details = isRecord(data) ? data['details'] : data;
  return typeof details === 'string' ? ` (${details.slice(0, 500)})` : '';
}
