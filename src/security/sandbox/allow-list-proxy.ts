// An HTTP proxy on a Unix socket that allows TLS to listed hosts only (S8f).
//
// 1. Only CONNECT to port 443 of a listed name. Plain HTTP, other ports and IP addresses get a 403.
// 2. A listed name that resolves to this machine or a private network is refused, so a name can't open internal
//    hosts.
// 3. The proxy connects to the address it checked, and only after the client names the same host in its TLS
//    greeting. The operator of a listed host still receives whatever is sent to it.
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { isPrivateAddress } from '../paths/private-address.ts';
import { readServerName } from './server-name.ts';

export type AllowListProxy = { readonly socket: string; readonly close: () => Promise<void> };

export interface ProxyOptions {
  readonly socket: string;
  /** `example.com`, or `*.example.com` for its subdomains only. */
  readonly hosts: readonly string[];
  readonly onRefused?: (host: string) => void;
  /** Connects to a checked host. Replaced in tests. */
  readonly reach?: (host: string) => Promise<Socket | undefined>;
}

export async function createAllowListProxy(options: ProxyOptions): Promise<AllowListProxy> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    options.onRefused?.(request.url ?? '');
    response.writeHead(403).end('Only hosts on the allow list are reachable, and only over TLS (https).\n');
  });
  server.on('connect', (request: IncomingMessage, client: Duplex) => void passTunnel(request, client, options));
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

export function isAllowedHost(host: string, hosts: readonly string[]): boolean {
  const name = plainName(host);
  if (isIP(name) !== 0) return false;
  return hosts.some((entry) => {
    const pattern = entry.toLowerCase();
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}

async function passTunnel(request: IncomingMessage, client: Duplex, options: ProxyOptions): Promise<void> {
  client.on('error', () => client.destroy());
  const [, host = '', port] = /^([^:[\]]+):(\d+)$/.exec(request.url ?? '') ?? [];
  const refuse = (status: string) => {
    options.onRefused?.(request.url ?? '');
    client.end(`HTTP/1.1 ${status}\r\n\r\n`);
  };
  if (port !== '443' || !isAllowedHost(host, options.hosts)) return refuse('403 Forbidden');
  const upstream = await (options.reach ?? reachPublic)(host);
  if (upstream === undefined) return refuse('502 Bad Gateway');
  upstream.on('error', () => client.destroy());
  upstream.on('close', () => client.destroy());
  client.on('close', () => upstream.destroy());
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  const greeting = await readGreeting(client);
  if (greeting?.name === undefined || plainName(greeting.name) !== plainName(host)) {
    options.onRefused?.(`${request.url ?? ''} (TLS for ${greeting?.name ?? 'no host'})`);
    upstream.destroy();
    client.destroy();
    return;
  }
  upstream.write(greeting.data);
  client.pipe(upstream).pipe(client);
}

/** The client's first bytes and the host they name. Undefined if the client disconnected. */
function readGreeting(
  client: Duplex,
): Promise<{ readonly data: Buffer; readonly name: string | undefined } | undefined> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof readGreeting>>>();
  let data = Buffer.alloc(0);
  const timer = setTimeout(() => settle(undefined), GREETING_MS);
  const settle = (value: Awaited<typeof promise>) => {
    clearTimeout(timer);
    client.pause();
    client.off('data', read);
    resolve(value);
  };
  const read = (chunk: Buffer) => {
    data = Buffer.concat([data, chunk]);
    const name = readServerName(data);
    if (name.type !== 'more') settle({ data, name: name.type === 'name' ? name.name : undefined });
  };
  client.on('data', read);
  client.once('close', () => settle(undefined));
  return promise;
}

const GREETING_MS = 10_000;

async function reachPublic(host: string): Promise<Socket | undefined> {
  const address = await lookup(host).catch(() => undefined);
  if (address === undefined || isPrivateAddress(address.address)) return undefined;
  const socket = connect(443, address.address);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    return undefined;
  }
}

function plainName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
