/** Share links of a session, and the page that they open. */
import type { z } from 'zod';

import { shareBody } from '../../protocol/http-schema.ts';
import { failed } from '../outcome.ts';
import { routeAnswer, ok, param, type Route } from '../route.ts';
import { publicShare } from '../shares.ts';
import type { RouteParts } from './route-parts.ts';

const dayMs = 86_400_000;
const defaultDays = 7;

export function shareRoutes({ backend, operations, shares, access }: RouteParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/sessions/:id/shares',
      operation: 'createShare',
      isForPeople: true,
      summary: 'Create a read-only link to a session; its secret is only shown now',
      role: 'owner',
      body: shareBody,
      bodyIsOptional: true,
      status: 201,
      handle: async (call) =>
        routeAnswer(await operations.find(param(call, 'id')), async ({ id }) => {
          const { days = defaultDays } = (call.body ?? {}) as z.infer<typeof shareBody>;
          const { secret, record } = await shares.create({
            session: id,
            by: call.by.actor.name,
            lifeMs: days * dayMs,
          });
          return ok({ ...publicShare(record), path: `/share/${secret}` }, 201);
        }),
    },
    {
      method: 'GET',
      path: '/shares',
      operation: 'listShares',
      summary: 'List share links that still work',
      role: 'owner',
      handle: async () => ok({ shares: (await shares.list()).map(publicShare) }),
    },
    {
      method: 'DELETE',
      path: '/shares/:id',
      operation: 'revokeShare',
      isForPeople: true,
      summary: 'Revoke a share link',
      role: 'owner',
      status: 204,
      async handle(call) {
        const id = param(call, 'id');
        return (await shares.revoke(id))
          ? { type: 'json', status: 204 }
          : failed('NOT_FOUND', `Unknown share link ${id}.`);
      },
    },
    {
      method: 'GET',
      path: '/shared/:secret',
      operation: 'openShare',
      summary: 'Read a shared session as redacted Markdown; the link is the only credential',
      role: undefined,
      async handle(call) {
        const address = call.incoming.socket.remoteAddress ?? '';
        const share = await shares.find(param(call, 'secret'));
        const outcome = share === undefined ? undefined : await operations.find(share.session);
        if (share === undefined || outcome === undefined || outcome.type === 'error') {
          const isHeard = await access.slowDown.failed(address);
          return isHeard
            ? failed('NOT_FOUND', 'This link has expired or was revoked.')
            : failed('RATE_LIMITED', 'Too many invalid links. Wait a while.');
        }
        const { pieces } = await backend.sessions.export(outcome.value.id, {
          format: 'markdown',
          children: 'none',
        });
        let markdown = '';
        for await (const piece of pieces) markdown += piece;
        // The document's heading is the title, redacted like the rest.
        const [, title = ''] = /^# (.*)$/m.exec(markdown) ?? [];
        return ok({ title, markdown: withoutPlace(markdown), expiresAt: share.expiresAt, by: share.by });
      },
    },
  ];
}

/** A share doesn't reveal where the session runs. Both lines are in the head, before any content. */
function withoutPlace(markdown: string): string {
  return markdown.replace(/^- session: .*\n/m, '').replace(/^- folder: .*\n/m, '');
}
