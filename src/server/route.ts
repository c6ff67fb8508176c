/** One call of the HTTP interface: what it takes, who may make it, what it does. OpenAPI is made from these. */
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { z } from 'zod';

import type { ClientError } from '../protocol/error-code.ts';
import type { Role } from '../protocol/http-schema.ts';
import type { Identity } from './identity.ts';
import { failed, type Outcome } from './operations.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, with `:name` for what stands in the path. */
  readonly path: string;
  readonly summary: string;
  /** Undefined: anybody, known or not. */
  readonly role: Role | undefined;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body may be missing. */
  readonly bodyIsOptional?: boolean;
  readonly largestBody?: number;
  /** Status of success, for the documentation. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly takesKey?: boolean;
  /** It decides what is allowed: a program that a session runs may not call it. */
  readonly isForPeople?: boolean;
  readonly handle: (call: Call) => Promise<RouteAnswer>;
}

export interface Call {
  readonly by: Identity;
  readonly params: Readonly<Record<string, string>>;
  /** As the route's schema has checked it. */
  readonly query: unknown;
  readonly body: unknown;
  readonly key: string | undefined;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export type RouteAnswer =
  | {
      readonly type: 'json';
      readonly status: 200 | 201 | 202 | 204;
      readonly body?: unknown;
      /** JSON that is there already. */
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly type: 'error'; readonly error: ClientError }
  | {
      readonly type: 'bytes';
      readonly contentType: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** The route writes to `outgoing` itself. */
  | { readonly type: 'streaming' };

export function ok(body: unknown, status: 200 | 201 | 202 = 200): RouteAnswer {
  return { type: 'json', status, body };
}

/** The answer to an outcome; an error stays one. */
export function answered<Value>(
  outcome: Outcome<Value>,
  then: (value: Value) => RouteAnswer | Promise<RouteAnswer>,
): RouteAnswer | Promise<RouteAnswer> {
  return outcome.type === 'error' ? outcome : then(outcome.value);
}

/** A call of the interface whose part is not joined to this server. */
export function notThere(what: string): RouteAnswer {
  return failed('NOT_IMPLEMENTED', `${what} isn't available on this server.`);
}

/** A parameter that the path must have, or the route would not have matched. */
export function param({ params }: Call, name: string): string {
  return params[name] ?? '';
}
