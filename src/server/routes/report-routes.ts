import type { z } from 'zod';

import type { DirectoryEntry } from '../../journal/journal.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { sessionQuery } from '../../protocol/http-schema.ts';
import type { Session } from '../../session/session.ts';
import { auditOf } from '../../views/audit.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import { mapEntries } from '../../views/persistent-map.ts';
import { usageOf } from '../../views/usage.ts';
import type { Backend } from '../backend.ts';
import type { Operations } from '../operations.ts';
import { answered, ok, type Route } from '../route.ts';

type SessionQuery = z.infer<typeof sessionQuery>;

const auditedSessions = 20;

/** Usage and audit, folded from the journal when asked for. */
export function reportRoutes(backend: Backend, operations: Operations): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/usage',
      summary: 'What was used: by all sessions, or by one of them in detail',
      role: 'viewer',
      query: sessionQuery,
      async handle({ query }) {
        const { session } = query as SessionQuery;
        if (session === undefined) return ok(await usageOfAll(backend));
        return answered(await operations.find(session), async (found) => {
          const { totals, models, days } = usageOf(found.id, await allEvents(found));
          const byName = (map: typeof models) =>
            Object.fromEntries(mapEntries(map).map(({ key, value }) => [key, value]));
          return ok({ session: found.id, totals, models: byName(models), days: byName(days) });
        });
      },
    },
    {
      method: 'GET',
      path: '/audit',
      summary: `Who decided what, newest first: in one session, or in the ${auditedSessions} that changed last`,
      role: 'viewer',
      query: sessionQuery,
      async handle({ query }) {
        const { session, limit = 200 } = query as SessionQuery;
        if (session === undefined) {
          const { entries } = await backend.sessions.list({ limit: auditedSessions });
          const found = await Promise.all(entries.map(async (entry) => backend.sessions.get(entry.session)));
          const all = await Promise.all(found.map(async (one) => (one === undefined ? [] : auditIn(one))));
          return ok({
            entries: all
              .flat()
              .toSorted((a, b) => b.at - a.at)
              .slice(0, limit),
          });
        }
        return answered(await operations.find(session), async (found) =>
          ok({ entries: (await auditIn(found)).toReversed().slice(0, limit) }),
        );
      },
    },
  ];
}

async function auditIn(session: Session) {
  const { entries } = auditOf(session.id, await allEvents(session));
  return itemsBetween(entries, 0, entries.length).map((entry) => ({ session: session.id, ...entry }));
}

async function allEvents(session: Session): Promise<readonly Recorded[]> {
  const all: Recorded[] = [];
  for (;;) {
    const { events, last } = await session.events({ after: all.at(-1)?.seq ?? 0, limit: 5000 });
    all.push(...events);
    if (events.length === 0 || (all.at(-1)?.seq ?? 0) >= last) return all;
  }
}

async function usageOfAll(backend: Backend): Promise<object> {
  const totals = { sessions: 0, turns: 0, inputTokens: 0, outputTokens: 0, cost: 0, costIsKnown: true };
  const agents: Record<string, { sessions: number; inputTokens: number; outputTokens: number; cost: number }> = {};
  for await (const entry of everySession(backend)) {
    totals.sessions += 1;
    totals.turns += entry.turns;
    totals.inputTokens += entry.inputTokens;
    totals.outputTokens += entry.outputTokens;
    totals.cost += entry.cost;
    totals.costIsKnown &&= entry.costIsKnown;
    const agent = (agents[entry.agent] ??= { sessions: 0, inputTokens: 0, outputTokens: 0, cost: 0 });
    agent.sessions += 1;
    agent.inputTokens += entry.inputTokens;
    agent.outputTokens += entry.outputTokens;
    agent.cost += entry.cost;
  }
  return { totals, agents };
}

/** One page after the other. A session that changes meanwhile may come twice or, moved to the front, not at all. */
export async function* everySession(backend: Backend): AsyncGenerator<DirectoryEntry> {
  const seen = new Set<SessionId>();
  let cursor: string | undefined;
  do {
    const page = await backend.sessions.list({ limit: 1000, ...(cursor !== undefined && { cursor }) });
    for (const entry of page.entries) {
      if (!seen.has(entry.session)) yield entry;
      seen.add(entry.session);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
}
