/** Admits clients by origin, identity and request rate. Shared by HTTP and WebSocket. */
import type { IncomingMessage } from 'node:http';

import type { ClientError } from '../protocol/error-code.ts';
import type { ServerClock } from './backend.ts';
import type { Devices } from './devices.ts';
import { guard, type GuardOptions } from './guard.ts';
import type { Identity, Peer } from './identity.ts';
import type { SlowDown } from './slow-down.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';
import type { Tokens } from './tokens.ts';

export interface Gate {
  /** Why the server refuses the request before authentication. */
  problemWith(request: IncomingMessage): ClientError | undefined;
  /** Identifies the client by the token in its header. Undefined if there is no token. */
  identify(request: IncomingMessage): Promise<Identified | undefined>;
  /** Identifies the client by a secret that didn't come in a header. */
  identifyBy(secret: string, address: string): Promise<Identified>;
  /** Rechecks an open connection. Its bearer may have expired, but its browser must still be registered. */
  identifyAgain(
    caller: { readonly secret: string; readonly token: string },
    address: string,
  ): Promise<Identified | undefined>;
  mayAskNow(who: Identity): boolean;
}

export type Identified =
  | { readonly type: 'known'; readonly who: Identity; readonly secret: string }
  | { readonly type: 'error'; readonly error: ClientError };

interface GateParts {
  readonly tokens: Tokens;
  readonly slowDown: SlowDown;
  readonly clock: ServerClock;
  readonly guard: GuardOptions;
  readonly devices: Pick<Devices, 'identify' | 'isKnown'>;
  readonly requestsPerSecond: number;
}

const mostBuckets = 10_000;

export function createGate(parts: GateParts): Gate {
  const { tokens, devices, slowDown, clock, requestsPerSecond } = parts;
  const buckets = new Map<string, TokenBucket>();

  async function identifyBy(secret: string, address: string): Promise<Identified> {
    const who = (await devices.identify(secret)) ?? (await tokens.identify(secret));
    if (who !== undefined) {
      slowDown.succeeded(address);
      return { type: 'known', who, secret };
    }
    return (await slowDown.failed(address))
      ? refused('UNAUTHORIZED', 'The token is invalid, expired or revoked.')
      : refused('RATE_LIMITED', 'Too many invalid tokens. Wait a while.');
  }

  return {
    problemWith: (request) =>
      guard(
        {
          method: request.method ?? 'GET',
          path: request.url ?? '/',
          host: request.headers.host,
          origin: request.headers.origin,
          fetchSite: one(request.headers['sec-fetch-site']),
          fetchMode: one(request.headers['sec-fetch-mode']),
        },
        parts.guard,
      ),
    async identify(request) {
      const secret = bearerIn(request.headers.authorization);
      if (secret === undefined) return undefined;
      const outcome = await identifyBy(secret, request.socket.remoteAddress ?? '');
      return outcome.type === 'error'
        ? outcome
        : { ...outcome, who: { ...outcome.who, peer: peerOf(request.socket) } };
    },
    identifyBy,
    async identifyAgain({ secret, token }, address) {
      return (await devices.isKnown(token)) ? undefined : identifyBy(secret, address);
    },
    mayAskNow({ token }) {
      let bucket = buckets.get(token);
      if (bucket === undefined) {
        if (buckets.size >= mostBuckets) buckets.clear();
        bucket = createTokenBucket(requestsPerSecond, () => clock.ticks());
        buckets.set(token, bucket);
      }
      return bucket.take();
    },
  };
}

function refused(code: ClientError['code'], message: string): Identified {
  return { type: 'error', error: { code, message } };
}

export function peerOf({ remotePort, localPort }: Peer): Peer {
  return { remotePort, localPort };
}

function one(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}

function bearerIn(header: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,2000})$/i.exec(header ?? '')?.[1];
}
