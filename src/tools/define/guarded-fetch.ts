/**
 * Requests to addresses that a remote server names, such as its authorization server.
 *
 * 1. A server on the internet can't send Rondo to this machine or the local network, whatever a name resolves to.
 *    Its addresses must use HTTPS.
 * 2. A server on this machine or the local network may name others there.
 */
import dns from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';

import { optional } from '../../kernel/optional.ts';
import { isPrivateAddress, isPrivateHost } from '../../security/paths/private-address.ts';
import { publicLookup } from '../../security/paths/public-lookup.ts';

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** `server` names the addresses. */
export async function fetchNamedBy(server: string, signal: AbortSignal): Promise<Fetch> {
  return (await isNearby(new URL(server).hostname))
    ? (input, init) => fetch(input, { ...init, signal })
    : (input, init = {}) => publicFetch(new URL(input), { ...init, signal });
}

async function isNearby(host: string): Promise<boolean> {
  if (isPrivateHost(host)) return true;
  const addresses = await dns.lookup(host, { all: true }).catch(() => []);
  return addresses.some(({ address }) => isPrivateAddress(address));
}

const mostRedirects = 3;
const mostBytes = 1_000_000;

async function publicFetch(
  url: URL,
  init: RequestInit & { readonly signal: AbortSignal },
  redirects = 0,
): Promise<Response> {
  if (isPrivateHost(url.hostname)) throw new Error(`${url.hostname} is on this machine or a local network`);
  if (url.username !== '' || url.password !== '')
    throw new Error("URLs with a user name or password aren't allowed");
  if (url.protocol !== 'https:') throw new Error(`${url.origin} doesn't use HTTPS`);
  const { method = 'GET', body, signal } = init;
  const sent = new Request(url, { method, ...optional({ body }), headers: init.headers ?? {} });
  const request = https.request(url, {
    method,
    headers: Object.fromEntries(sent.headers),
    agent: false,
    lookup: publicLookup,
    signal,
  });
  request.end(Buffer.from(await sent.arrayBuffer()));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const status = response.statusCode ?? 500;
  const { location } = response.headers;
  if (status >= 300 && status < 400 && location !== undefined && method === 'GET' && redirects < mostRedirects) {
    response.destroy();
    const next = new URL(location, url);
    if (next.host !== url.host) throw new Error(`${url.origin} redirects to ${next.origin}`);
    return publicFetch(next, init, redirects + 1);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`${url.origin} sent more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(chunks), {
    status,
    headers: Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  });
}
