// An HTTP proxy on a Unix socket that lets through to listed hosts only.
//
// 1. A host that is not listed is refused with 403, whatever it is called by.
// 2. A listed name that resolves to this machine or a private network is refused, unless that
//    address itself is listed: a name is not a way into the inside.
// 3. What is connected to is the address that was checked.
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { connect, isIP } from 'node:net';
import type { Duplex } from 'node:stream';

import { isPrivateAddress } from './private-address.ts';

export type AllowListProxy = { readonly socket: string; readonly close: () => Promise<void> };

/** `hosts`: `example.com`, `*.example.com` (below it only), each with an optional `:port`. */
export async function createAllowListProxy(options: {
  readonly socket: string;
  readonly hosts: readonly string[];
  readonly onRefused?: (host: string) => void;
}): Promise<AllowListProxy> {
  const refuse = (host: string) => options.onRefused?.(host);
  const server = createServer((request, response) => void passRequest(request, response, options.hosts, refuse));
  server.on(
    'connect',
    (request: IncomingMessage, client: Duplex) => void passTunnel(request, client, options.hosts, refuse),
  );
  await rm(options.socket, { force: true });
  server.listen(options.socket);
  await once(server, 'listening');
  return {
    socket: options.socket,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function isAllowedHost(host: string, port: number, hosts: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.some((entry) => {
    const [, pattern = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (only !== undefined && Number(only) !== port) return false;
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}

async function passTunnel(
  request: IncomingMessage,
  client: Duplex,
  hosts: readonly string[],
  refuse: (host: string) => void,
): Promise<void> {
  client.on('error', () => client.destroy());
  const target = targetOf(`http://${request.url ?? ''}`, 443);
  const address = target === undefined ? undefined : await addressFor(target, hosts);
  if (target === undefined || address === undefined) {
    refuse(request.url ?? '');
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return;
  }
  const upstream = connect(target.port, address, () => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    client.pipe(upstream).pipe(client);
  });
  upstream.on('error', () => client.destroy());
  client.on('close', () => upstream.destroy());
}

async function passRequest(
  request: IncomingMessage,
  response: ServerResponse,
  hosts: readonly string[],
  refuse: (host: string) => void,
): Promise<void> {
  const target = targetOf(request.url ?? '', 80);
  const address = target === undefined ? undefined : await addressFor(target, hosts);
  if (target === undefined || address === undefined) {
    refuse(request.url ?? '');
    response.writeHead(403).end('This host is not on the allow list.\n');
    return;
  }
  const { pathname, search, host } = target.url;
  const headers = { ...request.headers, host };
  const upstream = httpRequest(
    { host: address, port: target.port, method: request.method, path: pathname + search, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  upstream.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  request.pipe(upstream);
}

type Target = { readonly url: URL; readonly host: string; readonly port: number };

function targetOf(text: string, defaultPort: number): Target | undefined {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'http:') return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const written = /:(\d+)(?:\/|$)/.exec(text.slice('http://'.length))?.[1];
  return { url, host, port: written === undefined ? defaultPort : Number(written) };
}

async function addressFor(target: Target, hosts: readonly string[]): Promise<string | undefined> {
  if (!isAllowedHost(target.host, target.port, hosts)) return undefined;
  if (isIP(target.host) !== 0 || target.host === 'localhost') return target.host;
  const found = await lookup(target.host).catch(() => undefined);
  if (found === undefined) return undefined;
  return isPrivateAddress(found.address) && !isAllowedHost(found.address, target.port, hosts)
    ? undefined
    : found.address;
}
