/**
 * What was asked and not answered yet. Everything here carries a key, or may be done twice without harm, so
 * that it can be asked again on the next connection: the server does it once.
 */
import type { ClientMessage } from '../protocol/client-message.ts';
import type { ErrorMessage, ServerMessage } from '../protocol/server-message.ts';

export type Request = Extract<
  ClientMessage,
  { type: 'session.create' | 'session.input' | 'session.stop' | 'question.answer' }
>;
export type RequestAnswer = Extract<ServerMessage, { type: 'ok' }>;

export interface Requests {
  add(request: Request): Promise<RequestAnswer>;
  /** In the order in which they were asked. */
  open(): readonly Request[];
  answered(answer: RequestAnswer): void;
  /** What is to be asked again after a while; undefined where the error settles it. */
  failed(error: ErrorMessage): Request | undefined;
  giveUp(why: Error): void;
}

/** A request that the server turned down. */
export interface RequestError extends Error {
  readonly code: string;
}

export function createRequests(): Requests {
  const pending = new Map<
    string,
    { request: Request; resolve: (answer: RequestAnswer) => void; reject: (error: Error) => void }
  >();
  return {
    add: (request) =>
      new Promise((resolve, reject) => {
        pending.set(request.id, { request, resolve, reject });
      }),
    open: () => [...pending.values()].map(({ request }) => request),
    answered(answer) {
      pending.get(answer.id)?.resolve(answer);
      pending.delete(answer.id);
    },
    failed({ id, code, message }) {
      const entry = id === undefined ? undefined : pending.get(id);
      if (entry === undefined || id === undefined) return undefined;
      if (code === 'RATE_LIMITED' || code === 'UNAVAILABLE') return entry.request;
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

export function requestError(code: string, message: string): RequestError {
  return Object.assign(new Error(message), { code });
}
