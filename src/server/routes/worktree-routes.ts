/** Worktrees of sessions and the changes in them. */
import type { z } from 'zod';

import { commitBody, diffQuery, mergeBody } from '../../protocol/http-schema.ts';
import type { Refused } from '../../worktrees/worktree.ts';
import { failed } from '../operations.ts';
import { routeAnswer, notThere, ok, param, type Route, type RouteAnswer } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function worktreeRoutes({ catalog: { worktrees }, operations, cwd }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/worktrees',
      operation: 'listWorktrees',
      summary: 'List worktrees of the served repository',
      role: 'viewer',
      async handle() {
        if (worktrees === undefined) return notThere('/worktrees');
        const list = await worktrees.list(cwd);
        if (!('type' in list)) return ok({ worktrees: list });
        return list.code === 'no-repository' ? ok({ worktrees: [] }) : refusal(list);
      },
    },
    {
      method: 'POST',
      path: '/worktrees/:id/commit',
      operation: 'commitWorktree',
      summary: 'Commit everything in a worktree',
      role: 'owner',
      body: commitBody,
      async handle(call) {
        if (worktrees === undefined) return notThere('/worktrees');
        const { message } = call.body as z.infer<typeof commitBody>;
        return answerTo(await worktrees.commit(cwd, param(call, 'id'), message));
      },
    },
    {
      method: 'POST',
      path: '/worktrees/:id/merge',
      operation: 'mergeWorktree',
      summary: 'Merge a worktree; a conflict is refused and changes nothing',
      role: 'owner',
      body: mergeBody,
      bodyIsOptional: true,
      async handle(call) {
        if (worktrees === undefined) return notThere('/worktrees');
        const request = (call.body ?? {}) as { readonly into?: string; readonly message?: string };
        return answerTo(await worktrees.merge(cwd, param(call, 'id'), request));
      },
    },
    {
      method: 'GET',
      path: '/sessions/:id/diff',
      operation: 'getDiff',
      summary: 'List changed files in the folder of a session',
      role: 'viewer',
      query: diffQuery,
      handle: async (call) =>
        routeAnswer(await operations.find(param(call, 'id')), async (session) => {
          const { patch = false, path, since } = call.query as z.infer<typeof diffQuery>;
          if (since !== undefined) return ok(await session.changes({ since, patch }));
          if (worktrees === undefined) return notThere('/sessions/{id}/diff');
          const { cwd: folder } = await session.status();
          return answerTo(
            await worktrees.changesIn(folder, { patch, ...(path !== undefined && { paths: [path] }) }),
          );
        }),
    },
  ];
}

function answerTo(answer: Refused | { readonly type: 'diff' | 'committed' | 'merged' }): RouteAnswer {
  return answer.type === 'refused' ? refusal(answer) : ok(answer);
}

function refusal({ code, message }: Refused): RouteAnswer {
  switch (code) {
    case 'no-worktree':
      return failed('NOT_FOUND', message);
    case 'git-failed':
    case 'set-up-failed':
      return failed('WORKTREE_ERROR', message);
    case 'no-repository':
    case 'no-commits':
    case 'bad-name':
    case 'no-base':
    case 'no-target':
    case 'nothing-to-commit':
      return failed('REFUSED', message);
    case 'path-exists':
    case 'branch-in-use':
    case 'in-use':
    case 'uncommitted':
    case 'unfinished':
    case 'unmerged':
    case 'conflict':
    case 'not-kept':
      return failed('CONFLICT', message);
  }
}
