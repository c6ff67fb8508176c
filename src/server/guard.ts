/**
 * Checks where a request comes from. Any page can make a browser send requests to this machine. So before anything
 * else, the guard checks the host name (DNS rebinding), the origin, and the browser's fetch metadata.
 */
import type { ClientError } from '../protocol/error-code.ts';

export interface GuardOptions {
  /** Names of this server: `name:port` or the bare name. */
  readonly hosts: readonly string[];
  /** Additional origins whose pages may call this server. */
  readonly origins: readonly string[];
  readonly scheme: 'http' | 'https';
}

export interface RequestOrigin {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
}

export function guard(request: RequestOrigin, options: GuardOptions): ClientError | undefined {
  const { host, origin, fetchSite } = request;
  if (host === undefined || !isKnownHost(host, options.hosts)) {
    return forbidden('Unknown host name for this server; add it with `--allowed-host`.');
  }
  const isForeign = origin !== undefined && !isOwnOrigin(origin, host, options);
  if (isForeign)
    return forbidden("Pages of that origin can't connect to this server; add it to `server.origins`.");
  if (fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none') return undefined;
  if (origin !== undefined && options.origins.includes(origin)) return undefined;
  // Following a link to the app isn't a request by the page that contains the link.
  const isVisit =
    request.method === 'GET' && request.fetchMode === 'navigate' && !request.path.startsWith('/api/');
  return isVisit ? undefined : forbidden('Requests from other sites are refused.');
}

function isKnownHost(host: string, hosts: readonly string[]): boolean {
  const plain = host.toLowerCase();
  return hosts.some((name) => name === plain || name === plain.replace(/:\d+$/, ''));
}

function isOwnOrigin(origin: string, host: string, { scheme, origins }: GuardOptions): boolean {
  return origin === `${scheme}://${host}` || origins.includes(origin);
}

/** True if this server serves that origin or allows it. */
export function isServedOrigin(origin: string, options: GuardOptions): boolean {
  const host = /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
  return (
    host !== undefined &&
    isOwnOrigin(origin, host, options) &&
    (isKnownHost(host, options.hosts) || options.origins.includes(origin))
  );
}

function forbidden(message: string): ClientError {
  return { code: 'FORBIDDEN', message };
}
