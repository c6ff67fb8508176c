/** The sessions of today: who waited for whom, how their contexts grew, and which files changed. */
import type { Recorded } from '../../../src/kernel/event.ts';
import type { SessionId } from '../../../src/kernel/ids.ts';
import type { DirectoryEntry } from '../../../src/views/directory.ts';
import type { SessionList, SessionRow } from '../../../src/views/session-row.ts';
import { getApi } from '../connection/api.ts';
import { newestEvents } from '../session/newest-events.ts';
import { isActive, rowsOfToday } from './rows-of-today.ts';
import { churnByFile, churnOf, dayTimeline, withWorkers, type Churn, type DayTimeline } from './day-timeline.ts';

export interface TodaysSession {
  readonly row: SessionRow;
  readonly day: DayTimeline;
  /** Input tokens of its model calls, oldest first. */
  readonly context: readonly number[];
}

export interface Today {
  readonly now: number;
  readonly sessions: readonly TodaysSession[];
  readonly churn: readonly Churn[];
  /** How many sessions of today, workers included, are in neither the list nor the sums. */
  readonly uncounted: number;
}

const mostListed = 200;
const mostSessions = 12;
const mostWorkers = 24;
const mostFiles = 8;

export async function loadToday(
  directory: ReadonlyMap<string, DirectoryEntry>,
  project = '',
): Promise<Today | undefined> {
  const now = Date.now();
  const since = new Date(now).setHours(0, 0, 0, 0);
  const only = project === '' ? '' : `&project=${encodeURIComponent(project)}`;
  // What waits or works since before midnight changed nothing today.
  const lists = await Promise.all(
    ['&group=needs-you', '&group=working', `&since=${since}`].map((part) =>
      getApi<SessionList>(`/sessions/overview?limit=${mostListed}${part}${only}`),
    ),
  );
  const found = lists.flatMap((list) => (list.type === 'ok' ? [list.value] : []));
  if (found.length < lists.length) return undefined;
  const all = rowsOfToday(
    found.flatMap((list) => list.rows),
    since,
  );
  const unlisted = found.reduce((sum, { total, rows: listed }) => sum + total - listed.length, 0);
  const rows = all.slice(0, mostSessions);
  const team = [...directory.values()].filter(
    ({ parent, state, updatedAt }) =>
      (updatedAt >= since || isActive(state)) && rows.some(({ session }) => session === parent),
  );
  const workers = team.slice(0, mostWorkers);
  const load = async <Session extends { readonly session: string }>(session: Session) => {
    const events = await newestEvents(session.session);
    return { session, events, day: dayTimeline(session.session as SessionId, events, { since, now }) };
  };
  const [loaded, helped] = await Promise.all([
    Promise.all(rows.map(load<SessionRow>)),
    Promise.all(workers.map(load<DirectoryEntry>)),
  ]);
  const daysOf = (parent: string) =>
    helped.filter(({ session }) => session.parent === parent).map(({ day }) => day);
  return {
    now,
    uncounted: unlisted + all.length - rows.length + team.length - workers.length,
    sessions: loaded
      .map(({ session, events, day }) => ({
        row: session,
        day: withWorkers(day, daysOf(session.session)),
        context: contextOf(events),
      }))
      .filter(({ day }) => day.spans.length > 0),
    churn: churnByFile(
      [...loaded, ...helped].flatMap(({ session, events }) => churnOf(session.session, events, since)),
    ).slice(0, mostFiles),
  };
}

function contextOf(events: readonly Recorded[]): readonly number[] {
  return events.flatMap(({ event }) => {
    const tokens = event.type === 'model-settled' ? event.outcome.usage?.inputTokens : undefined;
    return tokens === undefined ? [] : [tokens];
  });
}
