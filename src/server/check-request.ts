import type { IncomingMessage } from 'node:http';

import type { HonoRequest } from 'hono';
import type { ClientError } from '../protocol/error-code.ts';
import { firstIssue, idempotencyKey } from '../protocol/input-schema.ts';
import { parseStrictJson } from '../protocol/strict-json.ts';
import { readRequestBody, textOfBody } from './request-body.ts';
import type { Route } from './route.ts';

export interface Turned {
  readonly type: 'error';
  readonly error: ClientError;
}

export function turnedAway(error: ClientError): Turned {
  return { type: 'error', error };
}

export function problemHeaders({ code }: ClientError): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(code === 'UNAUTHORIZED' && { 'www-authenticate': 'Bearer realm="rondo"' }),
    ...((code === 'RATE_LIMITED' || code === 'UNAVAILABLE') && { 'retry-after': '1' }),
  };
}

type Checked =
  | { readonly type: 'checked'; readonly value: { query: unknown; body: unknown; key: string | undefined } }
  | Turned;

export async function checkRequest(incoming: IncomingMessage, given: HonoRequest, route: Route): Promise<Checked> {
  const query = route.query?.safeParse(given.query());
  if (query?.success === false) return invalid(`Invalid query: ${firstIssue(query.error)}.`);
  const key = headerOf(incoming, 'idempotency-key');
  if (key !== undefined && !idempotencyKey.safeParse(key).success)
    return invalid('Idempotency-Key must have 1 to 200 characters.');
  const checked = (body: unknown): Checked => ({
    type: 'checked',
    value: { query: query?.data ?? {}, body, key },
  });
  if (route.body === undefined) return checked(undefined);
  const bytes = await readRequestBody(incoming, route.largestBody ?? largestBody);
  if (bytes === 'too-large')
    return turnedAway({
      code: 'MESSAGE_TOO_LARGE',
      message: `The body exceeds the limit of ${route.largestBody ?? largestBody} bytes; send less at a time.`,
    });
  if (bytes === 'gone') return invalid('The body is incomplete. Nothing was done; send it again.');
  if (bytes.length === 0 && route.bodyIsOptional === true) return checked(undefined);
  if (!isJson(incoming.headers['content-type']))
    return invalid('The body must be JSON: `Content-Type: application/json`.');
  const text = textOfBody(bytes);
  if (text === undefined) return invalid("The body isn't UTF-8.");
  const parsed = parseStrictJson(text);
  if (parsed.type === 'invalid') return invalid(`Can't parse the body: ${parsed.reason}.`);
  const body = route.body.safeParse(parsed.value);
  return body.success ? checked(body.data) : invalid(`Invalid body: ${firstIssue(body.error)}.`);
}

/** Require JSON: a browser sends form requests cross-origin without a preflight. */
function isJson(type: string | undefined): boolean {
  return type === 'application/json' || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type ?? '');
}

/** Joins repeated headers, as the Fetch standard does. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

function invalid(message: string): Turned {
  return turnedAway({ code: 'INVALID_MESSAGE', message });
}

const largestBody = 1024 * 1024;
