/** The port: the names that reach it, and the response to connections refused at accept. */
import type { createServer as createHttpServer, IncomingMessage } from 'node:http';
import type { createServer as createHttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';

import { Fault } from '../kernel/fault.ts';
import { problemBody, type ClientError } from '../protocol/error-code.ts';

type NodeServer = ReturnType<typeof createHttpServer> | ReturnType<typeof createHttpsServer>;

export function listening(server: NodeServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = whyNot(error, host, port);
      reject(new Fault('network', `Can't listen on ${host}:${port}: ${why}.`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

export function upgradeProblem({ url = '/' }: IncomingMessage, isReady: boolean): ClientError | undefined {
  if (!isReady) return { code: 'UNAVAILABLE', message: 'This server is closing.' };
  return url.split('?')[0] === '/ws' ? undefined : { code: 'NOT_FOUND', message: 'The WebSocket is at /ws.' };
}

/** Another node says that it follows for its clients. This grants nothing: it only connects while draining. */
export function isLink({ url = '/' }: IncomingMessage): boolean {
  return url === linkPath;
}

export const linkPath = '/ws?node';

export function turnAway(socket: Duplex, error: ClientError): void {
  const problem = problemBody(error);
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: application/problem+json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** The host names that reach a listening address. */
export function namesOf(host: string, port: number): readonly string[] {
  const local = ['127.0.0.1', 'localhost', '[::1]'];
  const names = isEverywhere(host) ? local : [...local, urlHost(host)];
  return names.map((name) => `${name.toLowerCase()}:${port}`);
}

export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function whyNot({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is taken by another program; choose another with --port or RONDO_PORT`;
    case 'EACCES':
      return 'ports below 1024 are reserved; choose another with --port or RONDO_PORT';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} isn't an address of this machine; choose another with --host`;
    default:
      return message;
  }
}
