import type { z } from 'zod';

import { bearerBody, loginBody, tokenBody } from '../../protocol/http-schema.ts';
import { browserName } from '../../wording/browser-name.ts';
import { failed } from '../outcome.ts';
import { ok, param, type RouteCall, type Route, type RouteAnswer } from '../route.ts';
import type { TokenRecord } from '../tokens.ts';
import type { RouteParts } from './route-parts.ts';

const dayMs = 86_400_000;

/** Tokens, and the exchange of a code or token for a browser's key. */
export function accessRoutes({ access }: RouteParts): readonly Route[] {
  const { tokens, devices, codes, slowDown, guard } = access;

  async function wrong(call: RouteCall, message: string): Promise<RouteAnswer> {
    const isHeard = await slowDown.failed(call.incoming.socket.remoteAddress ?? '');
    return isHeard
      ? failed('UNAUTHORIZED', message)
      : failed('RATE_LIMITED', 'Too many invalid codes. Wait a while.');
  }

  async function logIn(call: RouteCall): Promise<RouteAnswer> {
    const given = call.body as z.infer<typeof loginBody>;
    const who =
      'code' in given
        ? (await codes.use(given.code))
          ? { name: 'owner', role: 'owner' as const }
          : undefined
        : await tokens
            .identify(given.token)
            .then((identity) => identity && { name: identity.actor.name, role: identity.role });
    if (who === undefined) {
      return wrong(call, 'The code is invalid, expired or used; `rondo token link` creates a new one.');
    }
    slowDown.succeeded(call.incoming.socket.remoteAddress ?? '');
    if (given.key === undefined) return ok(devices.passing(who));
    const { origin = `${guard.scheme}://${call.incoming.headers.host ?? ''}` } = call.incoming.headers;
    const browser = browserName(call.incoming.headers['user-agent']);
    const { id } = await devices.register({ ...who, key: given.key, origin, browser });
    return ok({ ...who, device: id });
  }

  return [
    {
      method: 'POST',
      path: '/login',
      operation: 'logIn',
      summary: 'Register a browser by a code or a token; without a key it gets a bearer token for one page',
      role: undefined,
      body: loginBody,
      handle: logIn,
    },
    {
      method: 'POST',
      path: '/login/nonce',
      operation: 'createNonce',
      summary: 'Get a nonce to sign with the key of a registered browser',
      role: undefined,
      handle: async () => ok({ nonce: devices.nonce() }),
    },
    {
      method: 'POST',
      path: '/login/bearer',
      operation: 'createBearer',
      summary: 'Exchange a signed nonce for a bearer token of ten minutes',
      role: undefined,
      body: bearerBody,
      async handle(call) {
        const given = await devices.bearer(call.body as z.infer<typeof bearerBody>);
        if (given === undefined) return wrong(call, "This browser isn't registered here. Sign in again.");
        return ok(given);
      },
    },
    {
      method: 'POST',
      path: '/logout',
      operation: 'logOut',
      summary: 'Sign out the calling browser',
      role: 'viewer',
      async handle({ by }) {
        await tokens.revoke(by.token);
        return ok({});
      },
    },
    {
      method: 'GET',
      path: '/me',
      operation: 'getCaller',
      summary: 'Show the caller',
      role: 'viewer',
      handle: async ({ by }) => ok({ name: by.actor.name, role: by.role }),
    },
    {
      method: 'POST',
      path: '/login-codes',
      operation: 'createLoginCode',
      isForPeople: true,
      summary: 'Create a code that signs one browser in, once',
      role: 'owner',
      status: 201,
      handle: async () => ok({ code: codes.make() }, 201),
    },
    {
      method: 'GET',
      path: '/tokens',
      operation: 'listTokens',
      summary: 'List issued tokens',
      role: 'owner',
      handle: async () => ok({ tokens: (await tokens.list()).map(publicToken) }),
    },
    {
      method: 'POST',
      path: '/tokens',
      operation: 'createToken',
      isForPeople: true,
      summary: 'Create a token; its secret is only shown now',
      role: 'owner',
      body: tokenBody,
      status: 201,
      async handle({ body }) {
        const { days, ...wanted } = body as z.infer<typeof tokenBody>;
        const { secret, record } = await tokens.issue({
          ...wanted,
          ...(days !== undefined && { lifeMs: days * dayMs }),
        });
        return ok({ ...publicToken(record), token: secret }, 201);
      },
    },
    {
      method: 'DELETE',
      path: '/tokens/:id',
      operation: 'revokeToken',
      isForPeople: true,
      summary: 'Revoke a token',
      role: 'owner',
      status: 204,
      async handle(call) {
        const id = param(call, 'id');
        return (await tokens.revoke(id))
          ? { type: 'json', status: 204 }
          : failed('NOT_FOUND', `Unknown token ${id}.`);
      },
    },
  ];
}

/** A token without its digest, so that nothing reveals the secret. */
export function publicToken(record: TokenRecord): Omit<TokenRecord, 'digest'> {
  const { digest: _, ...rest } = record;
  return rest;
}
