/**
 * Requests without an answer yet. Each has a key or is safe to repeat, so that the next connection can send it
 * again and the server acts once.
 */
import type { ClientMessage } from '../protocol/client-message.ts';
import type { ErrorMessage, ServerMessage } from '../protocol/server-message.ts';

export type ClientRequest = Extract<
  ClientMessage,
  { type: 'session.create' | 'session.input' | 'session.stop' | 'question.answer' }
>;
export type RequestAnswer = Extract<ServerMessage, { type: 'ok' }>;

interface PendingRequests {
  /** Rejects with the signal's reason if it aborts first; the request isn't sent again then. */
  add(request: ClientRequest, signal?: AbortSignal): Promise<RequestAnswer>;
  /** In the order they were sent. */
  open(): readonly ClientRequest[];
  answered(answer: RequestAnswer): void;
  /** The request to retry after a pause, or undefined if the error is final. */
  failed(error: ErrorMessage): ClientRequest | undefined;
  giveUp(why: Error): void;
}

/** A request that the server refused. */
export interface RequestError extends Error {
  readonly code: string;
}

export function createPendingRequests(): PendingRequests {
  const pending = new Map<
    string,
    { request: ClientRequest; resolve: (answer: RequestAnswer) => void; reject: (error: Error) => void }
  >();
  return {
    add(request, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<RequestAnswer>();
      pending.set(request.id, { request, resolve, reject });
      const withdraw = () => {
        pending.delete(request.id);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', withdraw, { once: true });
      return promise.finally(() => signal?.removeEventListener('abort', withdraw));
    },
    open: () => [...pending.values()].map(({ request }) => request),
    answered(answer) {
      pending.get(answer.id)?.resolve(answer);
      pending.delete(answer.id);
    },
    failed({ id, code, message }) {
      const entry = id === undefined ? undefined : pending.get(id);
      if (entry === undefined || id === undefined) return undefined;
      if (passes(code)) return entry.request;
      pending.delete(id);
      entry.reject(requestError(code, message));
      return undefined;
    },
    giveUp(why) {
      for (const { reject } of pending.values()) reject(why);
      pending.clear();
    },
  };
}

/** True if the same message may succeed after a pause. */
export function passes(code: string): boolean {
  return code === 'RATE_LIMITED' || code === 'UNAVAILABLE';
}

export function requestError(code: string, message: string): RequestError {
  return Object.assign(new Error(message), { code });
}
