import type { z } from 'zod';

import { loginBody, tokenBody } from '../../protocol/http-schema.ts';
import { failed } from '../operations.ts';
import { ok, param, type Call, type Route, type RouteAnswer } from '../route.ts';
import type { TokenRecord } from '../tokens.ts';
import type { RouteParts } from './route-parts.ts';

const cookieDays = 30;
const dayMs = 86_400_000;

/** Tokens, and the way from a code or a token to a cookie. */
export function accessRoutes({ access }: RouteParts): readonly Route[] {
  const { tokens, codes, slowDown, cookieName, isSecure } = access;
  const cookie = (value: string, seconds: number) =>
    `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
  const withCookie = (value: string, seconds: number, body: unknown): RouteAnswer => ({
    type: 'json',
    status: 200,
    body,
    headers: { 'set-cookie': cookie(value, seconds) },
  });

  async function logIn(call: Call): Promise<RouteAnswer> {
    const given = call.body as z.infer<typeof loginBody>;
    const address = call.incoming.socket.remoteAddress ?? '';
    const who =
      'code' in given
        ? codes.use(given.code)
          ? { name: 'owner', role: 'owner' as const }
          : undefined
        : await tokens
            .identify(given.token)
            .then((found) => found && { name: found.actor.name, role: found.role });
    if (who === undefined) {
      const isHeard = await slowDown.failed(address);
      return isHeard
        ? failed('UNAUTHORIZED', 'The code is wrong or was used already; `rondo token link` makes another.')
        : failed('RATE_LIMITED', 'Too many wrong codes; wait a while.');
    }
    slowDown.succeeded(address);
    const lifeMs = cookieDays * dayMs;
    const { secret } = await tokens.issue({ ...who, kind: 'cookie', lifeMs });
    return withCookie(secret, lifeMs / 1000, who);
  }

  return [
    {
      method: 'POST',
      path: '/login',
      summary: 'Exchange a code or a token for a cookie',
      role: undefined,
      body: loginBody,
      handle: logIn,
    },
    {
      method: 'POST',
      path: '/logout',
      summary: 'Give the cookie back',
      role: 'viewer',
      async handle({ by }) {
        await tokens.revoke(by.token);
        return withCookie('', 0, {});
      },
    },
    {
      method: 'GET',
      path: '/me',
      summary: 'Who I am here',
      role: 'viewer',
      handle: async ({ by }) => ok({ name: by.actor.name, role: by.role }),
    },
    {
      method: 'POST',
      path: '/login-codes',
      isForPeople: true,
      summary: 'Make a code that lets one browser in, once',
      role: 'owner',
      status: 201,
      handle: async () => ok({ code: codes.make() }, 201),
    },
    {
      method: 'GET',
      path: '/tokens',
      summary: 'Tokens that were issued',
      role: 'owner',
      handle: async () => ok({ tokens: (await tokens.list()).map(shown) }),
    },
    {
      method: 'POST',
      path: '/tokens',
      isForPeople: true,
      summary: 'Issue a token; its secret is told this once',
      role: 'owner',
      body: tokenBody,
      status: 201,
      async handle({ body }) {
        const { days, ...wanted } = body as z.infer<typeof tokenBody>;
        const { secret, record } = await tokens.issue({
          ...wanted,
          ...(days !== undefined && { lifeMs: days * dayMs }),
        });
        return ok({ ...shown(record), token: secret }, 201);
      },
    },
    {
      method: 'DELETE',
      path: '/tokens/:id',
      isForPeople: true,
      summary: 'Revoke a token',
      role: 'owner',
      status: 204,
      async handle(call) {
        const id = param(call, 'id');
        return (await tokens.revoke(id))
          ? { type: 'json', status: 204 }
          : failed('NOT_FOUND', `There is no token ${id}.`);
      },
    },
  ];
}

/** A token as it may be seen: nothing by which its secret could be told. */
export function shown(record: TokenRecord): Omit<TokenRecord, 'digest'> {
  const { digest: _, ...rest } = record;
  return rest;
}
