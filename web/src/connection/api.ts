/** Calls of the HTTP interface. Every expected ending is a value; the cookie says who asks. */
export type Answered<Value> =
  | { readonly type: 'ok'; readonly value: Value }
  | { readonly type: 'problem'; readonly code: string; readonly message: string };

export interface CallOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Under which it counts once, however often it is sent. */
  readonly key?: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export async function callApi<Value>(
  method: Method,
  path: string,
  { body, signal, key }: CallOptions = {},
): Promise<Answered<Value>> {
  try {
    const answer = await fetch(`/api/v1${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
        body: JSON.stringify(body),
      }),
      ...(signal !== undefined && { signal }),
    });
    const text = await answer.text();
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    return answer.ok ? { type: 'ok', value: value as Value } : problemIn(value, answer.status);
  } catch (error) {
    return { type: 'problem', code: 'UNREACHABLE', message: `The server cannot be reached: ${String(error)}` };
  }
}

export function getApi<Value>(path: string, signal?: AbortSignal): Promise<Answered<Value>> {
  return callApi<Value>('GET', path, signal === undefined ? {} : { signal });
}

/** Whether the server says that it has no such thing yet. */
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
