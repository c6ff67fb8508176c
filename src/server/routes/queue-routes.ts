/** Queued prompts that no turn has claimed yet. */
import type { z } from 'zod';

import { queueBody, queueStateBody } from '../../protocol/http-schema.ts';
import type { WireInput } from '../../protocol/input-schema.ts';
import { routeAnswer, ok, param, type RouteCall, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function queueRoutes({ operations }: RouteParts): readonly Route[] {
  const change = async (call: RouteCall, wanted: Extract<WireInput, { type: 'queue' }>['change']) =>
    routeAnswer(
      await operations.input(call.by, param(call, 'id'), { type: 'queue', change: wanted }, call.key),
      (value) => ok(value, 202),
    );
  const promptOf = (call: RouteCall) => Number(param(call, 'prompt'));
  return [
    {
      method: 'GET',
      path: '/sessions/:id/queue',
      operation: 'listQueue',
      summary: 'List queued prompts',
      role: 'viewer',
      handle: async (call) =>
        routeAnswer(await operations.find(param(call, 'id')), async (session) =>
          ok((await session.status()).queue),
        ),
    },
    {
      method: 'PUT',
      path: '/sessions/:id/queue/:prompt',
      operation: 'changeQueuedPrompt',
      summary: 'Edit or move a queued prompt',
      role: 'prompter',
      body: queueBody,
      status: 202,
      takesKey: true,
      handle(call) {
        const wanted = call.body as z.infer<typeof queueBody>;
        const prompt = promptOf(call);
        return change(
          call,
          'text' in wanted
            ? { type: 'edited', prompt, text: wanted.text }
            : { type: 'moved', prompt, to: wanted.to },
        );
      },
    },
    {
      method: 'DELETE',
      path: '/sessions/:id/queue/:prompt',
      operation: 'removeQueuedPrompt',
      summary: 'Remove a queued prompt',
      role: 'prompter',
      status: 202,
      takesKey: true,
      handle: (call) => change(call, { type: 'removed', prompt: promptOf(call) }),
    },
    {
      method: 'DELETE',
      path: '/sessions/:id/queue',
      operation: 'clearQueue',
      summary: 'Clear the queue',
      role: 'prompter',
      status: 202,
      takesKey: true,
      handle: (call) => change(call, { type: 'cleared' }),
    },
    {
      method: 'PUT',
      path: '/sessions/:id/queue',
      operation: 'setQueueState',
      summary: 'Pause or resume the queue',
      role: 'prompter',
      body: queueStateBody,
      status: 202,
      takesKey: true,
      handle: (call) =>
        change(call, { type: (call.body as z.infer<typeof queueStateBody>).isPaused ? 'paused' : 'resumed' }),
    },
  ];
}
