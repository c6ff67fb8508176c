/** How providers read environment variables. */
import { optional } from '../kernel/optional.ts';
import { isLocalUrl, type Endpoint } from './endpoint.ts';
import type { Environment } from '../ports/environment.ts';

export function setting(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** Removes a trailing slash and adds the API version if the address has no path. */
export function baseUrl(address: string | undefined, version: string): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return undefined;
  return `${url.origin}${url.pathname === '/' ? `/${version}` : url.pathname.replace(/\/+$/, '')}`;
}

/** Where OPENAI_* variables lead: to OpenAI, or to a server that needs to support only chat completions. */
export function openaiAddress(env: Environment): { readonly url: string; readonly isOwn: boolean } {
  const address = baseUrl(setting(env, 'OPENAI_BASE_URL'), 'v1');
  const isOwn = address === undefined || new URL(address).hostname === 'api.openai.com';
  return { url: address ?? 'https://api.openai.com/v1', isOwn };
}

export function keyedEndpoint({
  apiKey,
  ...rest
}: Omit<Endpoint, 'local' | 'apiKey'> & { readonly apiKey: string | undefined }): Endpoint {
  const local = rest.baseUrl !== undefined && isLocalUrl(rest.baseUrl);
  return { ...rest, local, ...optional({ apiKey }) };
}
