/** Worktrees of sessions and the changes in them. */
import type { z } from 'zod';

import {
  commitBody,
  commitFilesBody,
  diffQuery,
  discardBody,
  fileQuery,
  mergeBody,
  pushBranchBody,
} from '../../protocol/http-schema.ts';
import type { ShownFile } from '../../worktrees/shown-file.ts';
import type { Refused } from '../../worktrees/worktree.ts';
import { failed } from '../outcome.ts';
import { routeAnswer, notThere, ok, param, type Route, type RouteAnswer, type RouteCall } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function worktreeRoutes({ catalog: { worktrees }, operations, cwd, clock }: RouteParts): readonly Route[] {
  type Act = (worktrees: NonNullable<RouteParts['catalog']['worktrees']>, folder: string) => Promise<Outcome>;
  const inSession = async (call: RouteCall, act: Act): Promise<RouteAnswer> =>
    routeAnswer(await operations.find(param(call, 'id')), async (session) =>
      worktrees === undefined
        ? notThere(`/sessions/${param(call, 'id')}`)
        : answerTo(await act(worktrees, (await session.status()).cwd)),
    );
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
      method: 'POST',
      path: '/sessions/:id/commit',
      operation: 'commitFiles',
      summary: "Commit changed files in a session's folder",
      role: 'owner',
      body: commitFilesBody,
      handle: (call) =>
        inSession(call, (trees, folder) => {
          const { message, paths } = call.body as z.infer<typeof commitFilesBody>;
          return trees.commitIn(folder, message, paths);
        }),
    },
    {
      method: 'POST',
      path: '/sessions/:id/discard',
      operation: 'discardFiles',
      summary: 'Put changed files back to the last commit; a copy stays in a ref',
      role: 'owner',
      isForPeople: true,
      body: discardBody,
      handle: (call) =>
        inSession(call, (trees, folder) =>
          trees.discardIn(folder, (call.body as z.infer<typeof discardBody>).paths, clock.now()),
        ),
    },
    {
      method: 'GET',
      path: '/sessions/:id/push',
      operation: 'planPush',
      summary: 'Show the remote, branch and commits that a push would send',
      role: 'owner',
      handle: (call) => inSession(call, (trees, folder) => trees.planPush(folder)),
    },
    {
      method: 'POST',
      path: '/sessions/:id/push',
      operation: 'pushBranch',
      summary: 'Push exactly the confirmed commit, without force',
      role: 'owner',
      isForPeople: true,
      body: pushBranchBody,
      handle: (call) =>
        inSession(call, (trees, folder) => trees.pushFrom(folder, call.body as z.infer<typeof pushBranchBody>)),
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
    {
      method: 'GET',
      path: '/sessions/:id/file',
      operation: 'getFile',
      summary: "Read a file in a session's folder; secrets are redacted, files with keys refused",
      role: 'viewer',
      query: fileQuery,
      handle: (call) =>
        inSession(call, (trees, folder) => trees.fileIn(folder, (call.query as z.infer<typeof fileQuery>).path)),
    },
  ];
}

type Outcome =
  | Refused
  | ShownFile
  | { readonly type: 'diff' | 'committed' | 'merged' | 'discarded' | 'plan' | 'pushed' };

function answerTo(answer: Outcome): RouteAnswer {
  return answer.type === 'refused' ? refusal(answer) : ok(answer);
}

function refusal({ code, message }: Refused): RouteAnswer {
  switch (code) {
    case 'no-worktree':
    case 'no-file':
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
    case 'withheld':
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
