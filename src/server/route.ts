/** One call of the HTTP API: its input, required role and handler. OpenAPI is generated from these. */
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { z } from 'zod';

import type { ClientError } from '../protocol/error-code.ts';
import type { Role } from '../protocol/http-schema.ts';
import type { Operation } from '../protocol/response-schema.ts';
import type { Identity } from './identity.ts';
import { failed, type OperationOutcome } from './outcome.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/api/v1`, with `:name` for path parameters. */
  readonly path: string;
  readonly operation: Operation;
  readonly summary: string;
  /** Undefined: no authentication needed. */
  readonly role: Role | undefined;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly bodyIsOptional?: boolean;
  /** The type of a body that isn't JSON. */
  readonly consumes?: string;
  /** A further content type of the response, by the `Accept` header. */
  readonly alsoProduces?: string;
  readonly largestBody?: number;
  /** Success status, for the documentation. */
  readonly status?: 200 | 201 | 202 | 204;
  readonly takesKey?: boolean;
  /** The call decides what is allowed, so programs that run inside a session may not make it. */
  readonly isForPeople?: boolean;
  readonly handle: (call: RouteCall) => Promise<RouteAnswer>;
}

export interface RouteCall {
  readonly by: Identity;
  /** For long answers: why the caller may not read on, for example because the token was revoked. */
  readonly refusedSince: () => Promise<ClientError | undefined>;
  readonly params: Readonly<Record<string, string>>;
  /** Validated by the route's schema. */
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
      /** Serialized JSON. */
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

/** Converts an outcome to an answer. Errors pass through. */
export function routeAnswer<Value>(
  outcome: OperationOutcome<Value>,
  then: (value: Value) => RouteAnswer | Promise<RouteAnswer>,
): RouteAnswer | Promise<RouteAnswer> {
  return outcome.type === 'error' ? outcome : then(outcome.value);
}

/** The answer if this server lacks the part that a call needs. */
export function notThere(what: string): RouteAnswer {
  return failed('NOT_IMPLEMENTED', `${what} isn't available on this server.`);
}

/** A path parameter. Always present, because the route matched. */
export function param({ params }: RouteCall, name: string): string {
  return params[name] ?? '';
}
