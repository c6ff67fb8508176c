/**
 * The list of sessions as people see it: grouped, searched, counted and paged over all sessions. Entries are kept in
 * memory from the first request on, updated with every commit, and read again now and then, because a deletion by
 * another process reports no commit. Only the first request waits for that.
 */
import { setTimeout } from 'node:timers/promises';

import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { StrandedSession } from '../session/ownership/stranded-sessions.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import {
  groupOf,
  hasFailed,
  projectName,
  sessionGroups,
  type SessionFilter,
  type SessionList,
  type SessionRow,
} from '../views/session-row.ts';
import type { Backend, ServerClock } from './backend.ts';
import type { DirectoryFeed } from './directory-feed.ts';
import { everySession } from './every-session.ts';
import type { Marks, MarkStore } from './marks.ts';

export interface SessionOverview {
  list(query: OverviewQuery): Promise<SessionList>;
  /** Forgets a deleted session. */
  forget(session: SessionId): void;
  close(): void;
}

interface OverviewQuery {
  readonly q?: string | undefined;
  readonly group?: SessionFilter | undefined;
  readonly project?: string | undefined;
  readonly agent?: string | undefined;
  /** Only sessions that changed since. */
  readonly since?: number | undefined;
  readonly archived?: boolean | undefined;
  readonly by?: 'state' | 'project' | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

interface OverviewParts {
  readonly backend: Pick<Backend, 'sessions'>;
  readonly feed: Pick<DirectoryFeed, 'subscribe'>;
  readonly marks: Pick<MarkStore, 'load'>;
  readonly clock: Pick<ServerClock, 'ticks'>;
  /** Sessions that no running node can work on. A store of one machine has none. */
  readonly stranded?: (() => Promise<readonly StrandedSession[]>) | undefined;
}

const freshMs = 60_000;
/** A burst of requests asks the store once. */
const strandedFreshMs = 2000;
/** How many sessions a search of messages adds to those found by title. */
const mostFound = 200;
/** Rows found by title don't wait longer for the search of messages. */
const searchMs = 250;

export function createSessionOverview({ backend, feed, marks, clock, stranded }: OverviewParts): SessionOverview {
  const entries = new Map<SessionId, DirectoryEntry>();
  let loading: Promise<void> | undefined;
  let loadedAt = 0;
  let leave: (() => void) | undefined;
  let waiting: { readonly at: number; readonly found: Promise<readonly StrandedSession[]> } | undefined;

  async function load(): Promise<void> {
    const seen = new Set<SessionId>();
    for await (const entry of everySession(backend)) {
      seen.add(entry.session);
      take(entry);
    }
    for (const session of entries.keys()) if (!seen.has(session)) entries.delete(session);
    loadedAt = clock.ticks();
  }
  function take(entry: DirectoryEntry): void {
    const had = entries.get(entry.session);
    if (had === undefined || had.updatedAt <= entry.updatedAt) entries.set(entry.session, entry);
  }
  function strandedNow(): Promise<readonly StrandedSession[]> {
    if (waiting === undefined || clock.ticks() - waiting.at >= strandedFreshMs) {
      // Without an answer, the list is still worth showing.
      waiting = { at: clock.ticks(), found: stranded?.().catch(() => []) ?? Promise.resolve([]) };
    }
    return waiting.found;
  }
  async function fresh(): Promise<void> {
    leave ??= feed.subscribe((changed) => changed.forEach(take));
    const isKnown = entries.size > 0;
    if (isKnown && clock.ticks() - loadedAt < freshMs) return;
    loading ??= load().finally(() => (loading = undefined));
    // A failed reading is repeated with the next request.
    if (isKnown) loading.catch(() => undefined);
    else await loading;
  }

  return {
    async list(query) {
      const [, current, matches, left] = await Promise.all([
        fresh(),
        marks.load(),
        foundIn(query.q),
        strandedNow(),
      ]);
      const list = listOf(rowsOf(entries, current, left), query, matches ?? new Set());
      return matches === undefined ? { ...list, isSearching: true } : list;
    },
    forget: (session) => void entries.delete(session),
    close: () => leave?.(),
  };

  /** Undefined while the search isn't done: the index of messages may first have to catch up. */
  async function foundIn(q = ''): Promise<ReadonlySet<string> | undefined> {
    if (q.trim() === '') return new Set();
    const hits = backend.sessions.search(q, { limit: mostFound });
    const sessions = await Promise.race([hits, setTimeout(searchMs, undefined, { ref: false })]);
    if (sessions === undefined) hits.catch(() => undefined);
    return sessions && new Set(sessions.map(({ session }) => session));
  }
}

/** Workers appear with the session that they work for, unless that one is gone. */
function rowsOf(
  entries: ReadonlyMap<SessionId, DirectoryEntry>,
  marks: Marks,
  stranded: readonly StrandedSession[],
): readonly SessionRow[] {
  const waits = new Map(stranded.map((one) => [one.session, one]));
  const teams = new Map<SessionId, { active: number; waiting: number }>();
  for (const entry of entries.values()) {
    const root = rootOf(entry, entries);
    if (root === entry.session) continue;
    const team = teams.get(root) ?? { active: 0, waiting: 0 };
    if (entry.state === 'running' || entry.state === 'waiting' || entry.state === 'cancelling') team.active += 1;
    if (entry.questions > 0) team.waiting += 1;
    teams.set(root, team);
  }
  return [...entries.values()].flatMap((entry): readonly SessionRow[] => {
    if (rootOf(entry, entries) !== entry.session) return [];
    const { seenAt, isPinned, isArchived } = marks.of(entry.session);
    const team = teams.get(entry.session);
    const wait = waits.get(entry.session);
    const isStranded = wait !== undefined;
    const group = groupOf(entry, team, { isStranded, since: marks.since, ...optional({ seenAt }) });
    return [
      {
        ...entry,
        group,
        ...(isPinned === true && { isPinned }),
        ...(isArchived === true && { isArchived }),
        ...optional({ team, goneMachine: wait?.machine }),
        ...(isStranded && wait.labels.length > 0 && { missingLabels: wait.labels }),
      },
    ];
  });
}

function rootOf(entry: DirectoryEntry, entries: ReadonlyMap<SessionId, DirectoryEntry>): SessionId {
  const seen = new Set<SessionId>();
  let at = entry;
  while (at.parent !== undefined && !seen.has(at.session)) {
    seen.add(at.session);
    const parent = entries.get(at.parent);
    if (parent === undefined) break;
    at = parent;
  }
  return at.session;
}

function listOf(all: readonly SessionRow[], query: OverviewQuery, matches: ReadonlySet<string>): SessionList {
  const { group, archived = false, by = 'state', offset = 0, limit = 100 } = query;
  const matching = all.filter((row) => isMatch(row, query, matches));
  const present = matching.filter((row) => (row.isArchived === true) === archived);
  const rows = present.filter((row) => group === undefined || isIn(row, group)).toSorted(orders[by]);
  const sections = new Map<string, number>();
  for (const row of rows) {
    const name = sectionOf(row, by);
    sections.set(name, (sections.get(name) ?? 0) + 1);
  }
  const count = (wanted: SessionFilter) => present.filter((row) => isIn(row, wanted)).length;
  return {
    rows: rows.slice(offset, offset + limit),
    offset,
    total: rows.length,
    counts: {
      all: present.length,
      'needs-you': count('needs-you'),
      failed: count('failed'),
      working: count('working'),
      unread: count('unread'),
      earlier: count('earlier'),
      'any-failed': count('any-failed'),
      archived: matching.filter(({ isArchived }) => isArchived === true).length,
    },
    sections: [...sections].map(([name, size]) => ({ name, count: size })),
    projects: projectsOf(all),
    agents: [...new Set(all.map(({ agent }) => agent))].filter((agent) => agent !== '').toSorted(),
  };
}

function isIn(row: SessionRow, filter: SessionFilter): boolean {
  return filter === 'any-failed' ? hasFailed(row) : row.group === filter;
}

function isMatch(
  row: SessionRow,
  { q = '', project, agent, since }: OverviewQuery,
  matches: ReadonlySet<string>,
): boolean {
  if (project !== undefined && projectName(row.cwd) !== project) return false;
  if (agent !== undefined && row.agent !== agent) return false;
  if (since !== undefined && row.updatedAt < since) return false;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 || matches.has(row.session)) return true;
  const text = `${row.title} ${row.agent} ${row.cwd} ${row.session}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

const rank = (row: SessionRow) => (row.isPinned === true ? -1 : sessionGroups.indexOf(row.group));
const newer = (a: SessionRow, b: SessionRow) => b.updatedAt - a.updatedAt || (a.session < b.session ? -1 : 1);

/** An imported session that nobody continued has no folder. */
const projectSection = ({ cwd }: SessionRow) => projectName(cwd) || 'Imported';

const orders = {
  state: (a: SessionRow, b: SessionRow) => rank(a) - rank(b) || newer(a, b),
  project: (a: SessionRow, b: SessionRow) => {
    const [first, second] = [projectSection(a), projectSection(b)];
    return first < second ? -1 : first > second ? 1 : rank(a) - rank(b) || newer(a, b);
  },
} as const;

function sectionOf(row: SessionRow, by: 'state' | 'project'): string {
  if (by === 'project') return projectSection(row);
  return row.isPinned === true ? 'pinned' : row.group;
}

/** The folders of sessions, most urgent first. An imported session that nobody continued has none. */
function projectsOf(rows: readonly SessionRow[]): SessionList['projects'] {
  const projects = new Map<string, SessionList['projects'][number]>();
  for (const { cwd, group, isArchived, updatedAt } of rows) {
    if (isArchived === true || cwd === '') continue;
    const name = projectName(cwd);
    const had = projects.get(name);
    const isWorse = had === undefined || sessionGroups.indexOf(group) < sessionGroups.indexOf(had.group);
    projects.set(name, {
      name,
      ...(isWorse ? { cwd, group } : { cwd: had.cwd, group: had.group }),
      sessions: (had?.sessions ?? 0) + 1,
      updatedAt: Math.max(had?.updatedAt ?? 0, updatedAt),
    });
  }
  return [...projects.values()].toSorted(
    (a, b) => sessionGroups.indexOf(a.group) - sessionGroups.indexOf(b.group) || (a.name < b.name ? -1 : 1),
  );
}
