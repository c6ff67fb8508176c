/** The outcome of a client's request, and the client error that a fault becomes. */
import { Fault } from '../kernel/fault.ts';
import type { ClientError } from '../protocol/error-code.ts';

export type OperationOutcome<Value> =
  | { readonly type: 'done'; readonly value: Value }
  | { readonly type: 'error'; readonly error: ClientError };

export function done<Value>(value: Value): OperationOutcome<Value> {
  return { type: 'done', value };
}

export function failed(
  code: ClientError['code'],
  message: string,
): { readonly type: 'error'; readonly error: ClientError } {
  return { type: 'error', error: { code, message } };
}

/** True if another node, or this one later, may do what failed. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof Fault && error.code === 'network';
}

export function isClientFault(error: unknown): error is Fault {
  return error instanceof Fault && (error.code === 'not-found' || error.code === 'unreadable');
}

/** Maps a fault to a client error. The fault's text names internal files, so it stays in the log. */
export function errorOfFault(error: unknown): ClientError {
  if (!(error instanceof Fault))
    return {
      code: 'INTERNAL',
      message: 'Internal error: nothing was acknowledged. See the log of `rondo serve`, and retry.',
    };
  switch (error.code) {
    case 'not-found':
      return { code: 'SESSION_NOT_FOUND', message: error.message };
    case 'busy':
      return {
        code: 'LIMIT_REACHED',
        message: 'The server is at its limit, or the resource is in use. Retry later.',
      };
    case 'closed':
      return {
        code: 'UNAVAILABLE',
        message:
          'The server is closing, or another process took over the session. Reconnect and repeat the request with the same key.',
      };
    case 'conflict':
      return { code: 'CONFLICT', message: error.message };
    case 'misdirected':
      return { code: 'MISDIRECTED', message: error.message };
    case 'damaged':
      return {
        code: 'CONFLICT',
        message: 'The journal of this session is damaged. Run `rondo doctor --repair` on the server.',
      };
    case 'disk-full':
      return {
        code: 'INTERNAL',
        message: 'The disk of the server is full, so nothing was written. Free some space and retry.',
      };
    case 'network':
      return {
        code: 'UNAVAILABLE',
        message:
          "This server can't reach its store, so nothing was acknowledged. Repeat the request with the same key, here or at another node.",
      };
    case 'read-only':
    case 'unreadable':
    case 'process':
    case 'internal':
      return {
        code: 'INTERNAL',
        message: `Nothing was acknowledged (${error.code}). See the log of \`rondo serve\`, fix the cause and retry.`,
      };
  }
}
