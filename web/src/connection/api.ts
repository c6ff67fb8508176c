/** Calls of the HTTP API. Every expected result is a value. A bearer in memory identifies the caller. */
import { optional } from '../../../src/kernel/optional.ts';
import { bearer, renew } from './bearer.ts';
import { unreachableText } from './unreachable.ts';

type Answered<Value> =
  | { readonly type: 'ok'; readonly value: Value }
  | { readonly type: 'problem'; readonly code: string; readonly message: string };

interface CallOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Idempotency key: the call counts once, however often it is sent. */
  readonly key?: string;
  /** True if the call needs no sign-in. */
  readonly isOpen?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export async function callApi<Value>(
  method: Method,
  path: string,
  { body, signal, key, isOpen = false }: CallOptions = {},
): Promise<Answered<Value>> {
  try {
    const answer = await fetchApi(
      path,
      {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json', ...optional({ 'idempotency-key': key }) },
          body: JSON.stringify(body),
        }),
        ...optional({ signal }),
      },
      { isOpen },
    );
    const text = await answer.text();
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    return answer.ok ? { type: 'ok', value: value as Value } : problemIn(value, answer.status);
  } catch (error) {
    return { type: 'problem', code: 'UNREACHABLE', message: unreachableText(error) };
  }
}

/**
 * The raw response, for pictures and downloads. Renews the bearer if the server has restarted and rejects the old
 * one.
 */
export async function fetchApi(
  path: string,
  init: RequestInit = {},
  { isOpen = false }: { readonly isOpen?: boolean } = {},
): Promise<Response> {
  const ask = (token: string | undefined) =>
    fetch(`/api/v1${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string> | undefined), ...authorization(token) },
    });
  if (isOpen) return ask(undefined);
  const answer = await ask(await bearer());
  if (answer.status !== 401) return answer;
  const renewed = await renew();
  return renewed.type === 'given' ? ask(renewed.given.bearer) : answer;
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

export function getApi<Value>(path: string, signal?: AbortSignal): Promise<Answered<Value>> {
  return callApi<Value>('GET', path, signal === undefined ? {} : { signal });
}

/** True if the server doesn't have the resource or doesn't support it yet. */
export function isMissing({ code }: { readonly code: string }): boolean {
  return code === 'NOT_IMPLEMENTED' || code === 'NOT_FOUND';
}

function problemIn(value: unknown, status: number): Answered<never> {
  const { code, detail } = (value ?? {}) as { readonly code?: unknown; readonly detail?: unknown };
  return {
    type: 'problem',
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    message: typeof detail === 'string' ? detail : `The server answered with ${status}.`,
  };
}
