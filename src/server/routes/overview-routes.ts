/** The list of sessions for people: groups, counts, outcomes and marks, and the removal of a session. */
import type { z } from 'zod';

import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { marksBody, outcomesQuery, overviewQuery } from '../../protocol/http-schema.ts';
import { failed } from '../outcome.ts';
import { routeAnswer, ok, param, type Route } from '../route.ts';
import { sessionFolderChanges } from '../session-folder-changes.ts';
import { createSessionOutcomes } from '../session-outcomes.ts';
import type { RouteParts } from './route-parts.ts';

export function overviewRoutes({
  backend,
  operations,
  overview,
  marks,
  clock,
  cwd,
  catalog: { worktrees },
}: RouteParts): readonly Route[] {
  const outcomes = createSessionOutcomes(backend);
  return [
    {
      method: 'GET',
      path: '/sessions/overview',
      operation: 'listSessionRows',
      summary: 'List sessions by group, with counts over all matches; workers appear with their session',
      role: 'viewer',
      query: overviewQuery,
      handle: async ({ query }) =>
        ok({ ...(await overview.list(query as z.infer<typeof overviewQuery>)), folder: cwd }),
    },
    {
      method: 'GET',
      path: '/sessions/outcomes',
      operation: 'listOutcomes',
      summary: 'Get the end of the last reply, changed lines and test result of some sessions',
      role: 'viewer',
      query: outcomesQuery,
      async handle({ query }) {
        return ok({ outcomes: await outcomes.of(sessionsIn(query)) });
      },
    },
    {
      method: 'GET',
      path: '/sessions/changes',
      operation: 'listChanges',
      summary: 'Get the branch of the folder of some sessions, and how many lines each changed itself',
      role: 'viewer',
      query: outcomesQuery,
      async handle({ query }) {
        return ok({
          changes: await sessionFolderChanges(
            { sessions: backend.sessions, worktrees, outcomes },
            sessionsIn(query),
          ),
        });
      },
    },
    {
      method: 'POST',
      path: '/sessions/read',
      operation: 'readAllSessions',
      summary: 'Mark all sessions as read',
      role: 'prompter',
      async handle() {
        await marks.readAll();
        return ok({});
      },
    },
    {
      method: 'PUT',
      path: '/sessions/:id/marks',
      operation: 'markSession',
      summary: 'Mark a session as read, pinned or archived',
      role: 'prompter',
      body: marksBody,
      handle: async (call) =>
        routeAnswer(await operations.find(param(call, 'id')), async ({ id }) => {
          const { isSeen, ...mark } = call.body as z.infer<typeof marksBody>;
          await marks.set(id, { ...mark, ...(isSeen === true && { seenAt: clock.now() }) });
          return ok({});
        }),
    },
    {
      method: 'POST',
      path: '/sessions/:id/delete',
      operation: 'deleteSession',
      isForPeople: true,
      summary: "Delete a session and its workers' sessions; this can't be undone",
      role: 'owner',
      handle: async (call) =>
        routeAnswer(await operations.find(param(call, 'id')), async ({ id }) => {
          try {
            const deleted = await backend.sessions.delete(id);
            for (const session of deleted) {
              overview.forget(session);
              await marks.forget(session);
            }
            return ok({ deleted });
          } catch (error) {
            if (error instanceof Fault && error.code === 'busy') return failed('CONFLICT', error.message);
            throw error;
          }
        }),
    },
  ];
}

function sessionsIn(query: unknown): readonly SessionId[] {
  return (query as z.infer<typeof outcomesQuery>).sessions as readonly string[] as readonly SessionId[];
}
