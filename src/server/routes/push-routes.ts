/** Push subscriptions of the calling browser. */
import type { z } from 'zod';

import { subscriptionBody, unsubscribeBody } from '../../protocol/http-schema.ts';
import { isPrivateHost } from '../../security/paths/private-address.ts';
import { failed } from '../outcome.ts';
import { isPushEndpoint } from '../push.ts';
import { ok, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function pushRoutes({ push }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/push/key',
      operation: 'getPushKey',
      summary: "Get the server's public key for push subscriptions",
      role: 'viewer',
      handle: async () => ok({ publicKey: await push.publicKey() }),
    },
    {
      method: 'POST',
      path: '/push/subscriptions',
      operation: 'subscribePush',
      isForPeople: true,
      summary: 'Send new questions to this browser as push messages',
      role: 'approver',
      body: subscriptionBody,
      status: 201,
      async handle({ by, body }) {
        const { endpoint, keys } = body as z.infer<typeof subscriptionBody>;
        if (!isPushEndpoint(endpoint)) return failed('REFUSED', 'A push endpoint must use HTTPS.');
        // Otherwise a lesser token could make the server send requests in its own network.
        if (by.role !== 'owner' && isPrivateHost(new URL(endpoint).hostname))
          return failed('FORBIDDEN', 'Only an owner can name a push service in a private network.');
        return ok({ id: await push.subscribe({ endpoint, ...keys }, by.token) }, 201);
      },
    },
    {
      method: 'POST',
      path: '/push/unsubscribe',
      operation: 'unsubscribePush',
      summary: 'Stop push messages to an endpoint',
      role: 'viewer',
      body: unsubscribeBody,
      async handle({ body }) {
        await push.unsubscribe((body as z.infer<typeof unsubscribeBody>).endpoint);
        return ok({});
      },
    },
  ];
}
