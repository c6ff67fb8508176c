/** The list of sessions as the server groups, searches and counts it. Only pages near the visible rows are loaded. */
import type { FolderChanges, SessionList, SessionRow } from '../../../src/views/session-row.ts';
import type { SessionOutcome } from '../../../src/views/session-row.ts';
import { getApi } from '../connection/api.ts';

interface ListQuery {
  readonly q: string;
  readonly group: string;
  readonly project: string;
  readonly agent: string;
  readonly since: string;
  readonly archived: string;
  readonly by: 'state' | 'project';
}

export interface LoadedList {
  /** Undefined until the first answer. */
  readonly head: Omit<SessionList, 'rows' | 'offset'> | undefined;
  readonly problem: string | undefined;
  rowAt(place: number): SessionRow | undefined;
  outcomeOf(row: SessionRow): SessionOutcome | undefined;
  changesOf(row: SessionRow): FolderChanges | undefined;
  /** Loads what is missing of the visible rows. */
  show(first: number, last: number): void;
}

const pageLength = 100;
/** Commits come in bursts. */
const calmMs = 300;
const searchAgainMs = 500;

/** `changed` is read for its changes only. */
export function createSessionList(query: () => ListQuery, changed: () => unknown): LoadedList {
  let head = $state.raw<LoadedList['head']>();
  let problem = $state<string>();
  let pages = $state.raw<ReadonlyMap<number, readonly SessionRow[]>>(new Map());
  let outcomes = $state.raw<ReadonlyMap<string, SessionOutcome>>(new Map());
  let folders = $state.raw<ReadonlyMap<string, FolderChanges>>(new Map());
  let visible = { first: 0, last: 30 };
  let asked = 0;
  let loading = new Set<number>();

  const pathOf = (page: number) => {
    const { by, ...words } = query();
    const given = Object.entries(words).filter(([, value]) => value !== '');
    return `/sessions/overview?${new URLSearchParams([...given, ['by', by], ['offset', String(page * pageLength)], ['limit', String(pageLength)]]).toString()}`;
  };
  async function load(page: number, mine: number): Promise<void> {
    loading.add(page);
    const answer = await getApi<SessionList>(pathOf(page));
    if (mine !== asked) return;
    loading.delete(page);
    if (answer.type === 'problem') {
      problem = answer.code === 'UNREACHABLE' ? undefined : answer.message;
      return;
    }
    const { rows, offset: _, ...rest } = answer.value;
    problem = undefined;
    head = rest;
    pages = new Map([...pages, [page, rows]]);
    void loadOutcomes();
    clearTimeout(again);
    if (rest.isSearching === true) again = setTimeout(() => void reload(), searchAgainMs);
  }
  /** Rows of the old answer stay until the new one arrives, so that the list doesn't flicker. */
  async function reload(): Promise<void> {
    asked += 1;
    const mine = asked;
    loading = new Set();
    const needed = pagesOf(visible);
    await Promise.all(needed.map((page) => load(page, mine)));
    if (mine === asked) pages = new Map([...pages].filter(([page]) => needed.includes(page)));
  }
  function show(first: number, last: number): void {
    visible = { first, last };
    for (const page of pagesOf(visible)) if (!pages.has(page) && !loading.has(page)) void load(page, asked);
    void loadOutcomes();
  }
  const keyOf = ({ session, updatedAt }: SessionRow) => `${session} ${updatedAt}`;
  let isReading = false;
  async function loadOutcomes(): Promise<void> {
    if (isReading) return;
    const missing = shownRows().filter((row) => row.turns > 0 && !outcomes.has(keyOf(row)));
    if (missing.length === 0) return void loadChanges();
    isReading = true;
    const ids = missing.slice(0, 60).map(({ session }) => session);
    const answer = await getApi<{ outcomes: Readonly<Record<string, SessionOutcome>> }>(
      `/sessions/outcomes?sessions=${ids.join(',')}`,
    );
    isReading = false;
    if (answer.type === 'problem') return;
    const found = missing.map(
      (row) => [keyOf(row), answer.value.outcomes[row.session] ?? { added: 0, removed: 0 }] as const,
    );
    outcomes = new Map([...outcomes, ...found].slice(-2000));
    void loadOutcomes();
  }
  let isComparing = false;
  async function loadChanges(): Promise<void> {
    if (isComparing) return;
    const missing = shownRows()
      .filter((row) => row.cwd !== '' && !folders.has(keyOf(row)))
      .slice(0, 20);
    if (missing.length === 0) return;
    isComparing = true;
    const ids = missing.map(({ session }) => session).join(',');
    const answer = await getApi<{ changes: Readonly<Record<string, FolderChanges>> }>(
      `/sessions/changes?sessions=${ids}`,
    );
    isComparing = false;
    if (answer.type === 'problem') return;
    const found = missing.map(
      (row) => [keyOf(row), answer.value.changes[row.session] ?? { added: 0, removed: 0 }] as const,
    );
    folders = new Map([...folders, ...found].slice(-2000));
    void loadChanges();
  }
  function shownRows(): readonly SessionRow[] {
    const places = Array.from({ length: visible.last - visible.first + 1 }, (_, index) => visible.first + index);
    return places.flatMap((place) => rowAt(place) ?? []);
  }
  const rowAt = (place: number) => pages.get(Math.floor(place / pageLength))?.[place % pageLength];

  /** While new ones load, the row keeps the ones that it showed. */
  const lastOf = ({ session }: SessionRow) => [...folders].findLast(([key]) => key.startsWith(`${session} `))?.[1];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let lastQuery = '';
  $effect(() => {
    const now = JSON.stringify(query());
    void changed();
    if (now !== lastQuery) {
      lastQuery = now;
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        void reload();
      }, 60);
    } else
      timer ??= setTimeout(() => {
        timer = undefined;
        void reload();
      }, calmMs);
  });
  return {
    get head() {
      return head;
    },
    get problem() {
      return problem;
    },
    rowAt,
    outcomeOf: (row) => outcomes.get(keyOf(row)),
    changesOf: (row) => folders.get(keyOf(row)) ?? lastOf(row),
    show,
  };
}

function pagesOf({ first, last }: { readonly first: number; readonly last: number }): readonly number[] {
  const from = Math.floor(first / pageLength);
  return Array.from({ length: Math.floor(last / pageLength) - from + 1 }, (_, index) => from + index);
}
