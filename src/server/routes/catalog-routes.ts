import type { z } from 'zod';

import { filesQuery } from '../../protocol/http-schema.ts';
import type { Catalog } from '../backend.ts';
import { failed, type Operations } from '../operations.ts';
import { answered, ok, param, type Route, type RouteAnswer } from '../route.ts';

/** What there is to choose from: agents, models, tools, rules, files. */
export function catalogRoutes(catalog: Catalog, operations: Operations, cwd: string): readonly Route[] {
  const listing = (
    path: string,
    summary: string,
    name: string,
    list: (() => Promise<readonly unknown[]>) | undefined,
  ): Route => ({
    method: 'GET',
    path,
    summary,
    role: 'viewer',
    handle: async () => (list === undefined ? notYet(path) : ok({ [name]: await list() })),
  });
  const { rules, files } = catalog;
  return [
    listing('/agents', 'Agents there are', 'agents', catalog.agents),
    listing('/models', 'Models that were found', 'models', catalog.models),
    listing('/tools', 'Tools there are', 'tools', catalog.tools),
    listing('/rules', 'Rules saved by "always"', 'rules', rules?.list),
    {
      method: 'DELETE',
      path: '/rules/:id',
      summary: 'Take back a saved rule',
      role: 'owner',
      status: 204,
      async handle(call) {
        if (rules === undefined) return notYet('/rules');
        const id = param(call, 'id');
        return (await rules.revoke(id))
          ? { type: 'json', status: 204 }
          : failed('NOT_FOUND', `There is no rule ${id}.`);
      },
    },
    {
      method: 'GET',
      path: '/files',
      summary: 'Files that a text may mean, for completion',
      role: 'prompter',
      query: filesQuery,
      async handle({ query }) {
        const { q, session, limit = 20 } = query as z.infer<typeof filesQuery>;
        if (files === undefined) return notYet('/files');
        if (session === undefined) return ok({ files: await files({ cwd, q, limit }) });
        return answered(await operations.find(session), async (found) =>
          ok({ files: await files({ cwd: (await found.status()).cwd, q, limit }) }),
        );
      },
    },
  ];
}

/** Calls that the interface promises and whose feature is still to come. */
export const laterRoutes: readonly Route[] = (
  [
    ['POST', '/sessions/:id/fork', 'Fork a session'],
    ['POST', '/sessions/:id/rewind', 'Rewind a session'],
    ['POST', '/sessions/:id/export', 'Export a session'],
    ['POST', '/sessions/import', 'Import a session'],
    ['GET', '/sessions/:id/diff', 'What a session changed'],
    ['GET', '/workers', 'List workers'],
    ['GET', '/jobs', 'List jobs'],
    ['POST', '/jobs', 'File a job'],
    ['POST', '/jobs/:id/cancel', 'Cancel a job'],
    ['GET', '/worktrees', 'List worktrees'],
    ['POST', '/worktrees/:id/commit', 'Commit in a worktree'],
    ['POST', '/worktrees/:id/merge', 'Merge a worktree'],
  ] as const
).map(([method, path, summary]) => ({
  method,
  path,
  summary: `${summary} (not there yet)`,
  role: 'viewer',
  handle: async () => notYet(path),
}));

function notYet(what: string): RouteAnswer {
  return failed('NOT_IMPLEMENTED', `${what} is part of the interface and is not there yet in this version.`);
}
