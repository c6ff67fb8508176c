import type { BaseUrls } from './base-urls.ts';

/**
 * Asks the node in use, and the others if it doesn't answer or is closing. A request that changes something is only
 * repeated if it has a key, because the first node may have acted on it.
 */
export async function fetchFrom(urls: BaseUrls, path: string, init: RequestInit): Promise<Response> {
  const mayRepeat = (init.method ?? 'GET') === 'GET' || new Headers(init.headers).has('idempotency-key');
  const [first = '', ...others] = mayRepeat ? urls.inOrder : [urls.current];
  let outcome = await ask(first, path, init);
  for (const url of others) {
    if (outcome.response !== undefined && outcome.response.status !== 503) break;
    outcome = await ask(url, path, init);
  }
  const { response, error } = outcome;
  if (response === undefined) {
    urls.leave(first);
    throw error;
  }
  return response;
}

async function ask(
  url: string,
  path: string,
  init: RequestInit,
): Promise<{ readonly response?: Response; readonly error?: unknown }> {
  try {
    return { response: await fetch(`${url}${path}`, init) };
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    return { error };
  }
}
