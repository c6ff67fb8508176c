/** The loopback address that a browser is sent to after a login. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { optional } from '../../kernel/optional.ts';

interface CallbackAnswer {
  readonly code?: string;
  readonly iss?: string;
  /** An error code of OAuth. */
  readonly error?: string;
}

export interface Callback extends AsyncDisposable {
  readonly redirectUrl: string;
  readonly received: Promise<CallbackAnswer>;
  /** For a browser on another machine: the address it was sent to. False if it isn't this login's. */
  paste(address: string): boolean;
}

/** `port` is preferred; if it is in use, another one is chosen. */
export async function listenForCallback(state: string, port: number, signal: AbortSignal): Promise<Callback> {
  const { promise: received, resolve, reject } = Promise.withResolvers<CallbackAnswer>();
  received.catch(() => undefined);
  const accept = (params: URLSearchParams): boolean => {
    if (params.get('state') !== state) return false;
    const [code, iss, error] = ['code', 'iss', 'error'].map((name) => params.get(name) ?? undefined);
    resolve(optional({ code, iss, error: error?.replaceAll(/[^a-z_]/g, '').slice(0, 40) }));
    return true;
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isOurs = request.method === 'GET' && pathname === '/callback' && accept(searchParams);
    response
      .writeHead(isOurs ? 200 : 400, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        connection: 'close',
      })
      .end(
        isOurs ? 'Rondo received the answer. You can close this page.' : "This isn't the login Rondo waits for.",
      );
  });
  const listen = (at: number) =>
    new Promise<void>((done, failed) => {
      server.once('error', failed);
      server.listen(at, '127.0.0.1', () => {
        server.off('error', failed);
        done();
      });
    });
  await listen(port).catch(() => listen(0));
  const stop = () => reject(new Error('The login was stopped.'));
  signal.addEventListener('abort', stop, { once: true });
  return {
    redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    received,
    paste: (address) => URL.canParse(address) && accept(new URL(address).searchParams),
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', stop);
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
