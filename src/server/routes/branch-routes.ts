/** Continue an imported session, fork and rewind. */
import type { z } from 'zod';

import { forkBody, rewindBody } from '../../protocol/http-schema.ts';
import { continueSchema, type WireContinue } from '../../protocol/input-schema.ts';
import { routeAnswer, ok, param, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function branchRoutes({ operations }: RouteParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/sessions/:id/continue',
      operation: 'continueSession',
      summary:
        'Continue an imported session with a chosen folder, agent, model and limits, or one whose machine is gone in another folder',
      role: 'prompter',
      body: continueSchema,
      bodyIsOptional: true,
      status: 202,
      handle: async (call) =>
        routeAnswer(
          await operations.continue(call.by, param(call, 'id'), (call.body ?? {}) as WireContinue),
          async (session) => ok(await session.status(), 202),
        ),
    },
    {
      method: 'POST',
      path: '/sessions/:id/fork',
      operation: 'forkSession',
      summary: 'Fork a session at its end or an earlier event',
      role: 'prompter',
      body: forkBody,
      bodyIsOptional: true,
      status: 201,
      takesKey: true,
      handle: async (call) => {
        const wanted = (call.body ?? {}) as z.infer<typeof forkBody>;
        return routeAnswer(
          await operations.fork(call.by, param(call, 'id'), wanted, call.key),
          async (session) => {
            const { origin } = await session.status();
            return ok({ id: session.id, origin }, 201);
          },
        );
      },
    },
    {
      method: 'POST',
      path: '/sessions/:id/rewind',
      operation: 'rewindSession',
      summary: 'Rewind the conversation, the files, or both to an earlier event',
      role: 'prompter',
      body: rewindBody,
      status: 202,
      takesKey: true,
      handle: async (call) =>
        routeAnswer(
          await operations.rewind(call.by, param(call, 'id'), call.body as z.infer<typeof rewindBody>, call.key),
          (result) => ok(result, 202),
        ),
    },
  ];
}
