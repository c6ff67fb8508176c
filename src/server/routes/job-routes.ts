/** Workers and their jobs. */
import type { z } from 'zod';

import { hasEnded } from '../../journal/job-queue-state.ts';
import type { JobQuery } from '../../ports/job-queue.ts';
import { cancelBody, jobBody, jobsQuery } from '../../protocol/http-schema.ts';
import { fileJob } from '../file-job.ts';
import { failed } from '../outcome.ts';
import { routeAnswer, ok, param, type RouteCall, type Route, type RouteAnswer } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function jobRoutes({ backend, cwd }: RouteParts): readonly Route[] {
  const { workers, jobs } = backend;

  async function jobResponse(id: string, status: 200 | 201 | 202): Promise<RouteAnswer> {
    const view = await jobs.view(id);
    if (view === undefined) return noJob(id);
    const answer = await jobs.result(id);
    return ok({ ...view, ...(answer?.isDone === true && { text: answer.result.text }) }, status);
  }

  async function cancel(call: RouteCall): Promise<RouteAnswer> {
    const id = param(call, 'id');
    const { reason = `cancelled by ${call.by.actor.name}` } = (call.body ?? {}) as z.infer<typeof cancelBody>;
    const state = await (await jobs.get(id))?.state();
    if (state !== undefined && state !== 'cancelled' && hasEnded(state)) {
      return failed('CONFLICT', `Job ${id} is ${state}. Nothing to cancel.`);
    }
    const answer = await (await jobs.get(id))?.cancel(reason);
    switch (answer?.type) {
      case 'ended':
      case 'marked':
        return jobResponse(id, 202);
      case 'illegal-move':
        return failed('CONFLICT', `Can't cancel job ${id}: ${answer.reason}.`);
      case 'not-found':
      case undefined:
        return noJob(id);
    }
  }

  return [
    {
      method: 'GET',
      path: '/workers',
      operation: 'listWorkers',
      summary: 'List workers and their sessions, with activity and used budget',
      role: 'viewer',
      async handle() {
        const [all, parents] = await Promise.all([workers.overview(), workers.parents()]);
        return ok({ workers: all, parents });
      },
    },
    {
      method: 'GET',
      path: '/jobs',
      operation: 'listJobs',
      summary: 'List jobs in the order they were filed',
      role: 'viewer',
      query: jobsQuery,
      handle: async ({ query }) => ok({ jobs: await jobs.overview(query as JobQuery) }),
    },
    {
      method: 'POST',
      path: '/jobs',
      operation: 'fileJob',
      summary: 'File a job for an existing or a new worker',
      role: 'prompter',
      body: jobBody,
      status: 201,
      takesKey: true,
      handle: async (call) =>
        routeAnswer(
          await fileJob({ backend, cwd }, call.by, call.body as z.infer<typeof jobBody>, call.key),
          ({ id }) => jobResponse(id, 201),
        ),
    },
    {
      method: 'GET',
      path: '/jobs/:id',
      operation: 'getJob',
      summary: 'Get a job, with the result of its worker once it has ended',
      role: 'viewer',
      handle: (call) => jobResponse(param(call, 'id'), 200),
    },
    {
      method: 'POST',
      path: '/jobs/:id/cancel',
      operation: 'cancelJob',
      summary: 'Cancel a job, its model call, its processes and its own workers',
      role: 'prompter',
      body: cancelBody,
      bodyIsOptional: true,
      status: 202,
      handle: cancel,
    },
  ];
}

function noJob(id: string): RouteAnswer {
  return failed('NOT_FOUND', `Unknown job ${id}.`);
}
