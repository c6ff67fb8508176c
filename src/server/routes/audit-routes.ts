import type { z } from 'zod';

import type { SessionId } from '../../kernel/ids.ts';
import { auditQuery } from '../../protocol/http-schema.ts';
import type { Session } from '../../session/handle/session.ts';
import { auditOf, type AuditEntry } from '../../views/audit.ts';
import { projectName } from '../../views/session-row.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import { everyEvent, everySession } from '../every-session.ts';
import { routeAnswer, ok, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

type Filters = z.infer<typeof auditQuery>;
type Audited = AuditEntry & { readonly session: SessionId };

export function auditRoutes({ backend, operations }: RouteParts): readonly Route[] {
  /**
   * No entry is newer than its session's last change. So the search stops once it has enough entries that are newer
   * than the remaining sessions.
   */
  async function newest(filters: Filters): Promise<readonly Audited[]> {
    const { limit = 200, since = 0, project } = filters;
    let entries: readonly Audited[] = [];
    for await (const { session, updatedAt, cwd } of everySession(backend)) {
      const oldest = entries.length < limit ? undefined : entries.at(-1);
      if (updatedAt < Math.max(since, oldest?.at ?? 0)) break;
      if (project !== undefined && projectName(cwd) !== project) continue;
      const one = await backend.sessions.get(session);
      if (one !== undefined) entries = newestFirst([...entries, ...(await auditIn(one, filters))]).slice(0, limit);
    }
    return entries;
  }

  return [
    {
      method: 'GET',
      path: '/audit',
      operation: 'listDecisions',
      summary: 'List decisions, newest first: in all sessions or one, by person, kind and time',
      role: 'viewer',
      query: auditQuery,
      async handle({ query }) {
        const filters = query as Filters;
        const { session, limit = 200 } = filters;
        if (session === undefined) return ok({ entries: await newest(filters) });
        return routeAnswer(await operations.find(session), async (live) =>
          ok({ entries: newestFirst(await auditIn(live, filters)).slice(0, limit) }),
        );
      },
    },
  ];
}

async function auditIn(session: Session, { by, type, since = 0, until = Infinity }: Filters) {
  const { entries } = auditOf(session.id, await everyEvent(session));
  return itemsBetween(entries, 0, entries.length)
    .filter(
      (entry) =>
        entry.at >= since &&
        entry.at <= until &&
        (by === undefined || entry.by.name === by) &&
        (type === undefined || entry.decided.type === type),
    )
    .map((entry): Audited => ({ session: session.id, ...entry }));
}

function newestFirst(entries: readonly Audited[]): readonly Audited[] {
  return entries.toSorted((a, b) => b.at - a.at || (a.session === b.session ? b.seq - a.seq : 0));
}
