import { Fault } from '../../kernel/fault.ts';

/** Calls to a server's HTTP interface. What it turns down is a `Fault` in its own words. */
export interface ServerCalls {
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body?: unknown): Promise<Answer>;
}

export function createServerCalls(url: string, token: string): ServerCalls {
  async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    let answer: Response;
    try {
      answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      throw new Fault('network', `The server at ${url} does not answer; it may have been stopped.`, { cause });
    }
    const text = await answer.text();
    const value = text === '' ? undefined : (JSON.parse(text) as unknown);
    if (answer.ok) return value as Answer;
    const { detail } = (value ?? {}) as { readonly detail?: string };
    throw new Fault(
      answer.status === 404 ? 'not-found' : 'network',
      detail ?? `${method} ${path}: ${answer.status}`,
    );
  }
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) };
}
