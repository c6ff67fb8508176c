/** Counts, projects and today's cost for the sidebar. */
import type { SessionList } from '../../../src/views/session-row.ts';
import { getApi } from '../connection/api.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';

interface Overview {
  readonly sessions: number | undefined;
  readonly projects: SessionList['projects'];
  readonly today: { readonly cost: number; readonly costIsKnown: boolean } | undefined;
}

const calmMs = 700;
/** The list comes first: the server may have to read many journals for the cost. */
const costAfterMs = 1500;
const costEveryMs = 60_000;

export function createOverview(app: RondoApp): Overview {
  let list = $state.raw<Pick<SessionList, 'counts' | 'projects'>>();
  let today = $state.raw<Overview['today']>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function load(): Promise<void> {
    timer = undefined;
    const answer = await getApi<SessionList>('/sessions/overview?limit=1');
    if (answer.type === 'ok') list = answer.value;
  }
  async function loadCost(): Promise<void> {
    const answer = await getApi<{
      rows: readonly { name: string; totals: { cost: number; unpricedCalls: number } }[];
    }>(`/usage?by=day&since=${new Date().setHours(0, 0, 0, 0)}`);
    const name = new Date().toISOString().slice(0, 10);
    const row = answer.type === 'ok' ? answer.value.rows.find((one) => one.name === name) : undefined;
    if (answer.type === 'ok')
      today = { cost: row?.totals.cost ?? 0, costIsKnown: (row?.totals.unpricedCalls ?? 0) === 0 };
  }
  $effect(() => {
    void app.directory;
    void app.changes;
    timer ??= setTimeout(() => void load(), calmMs);
  });
  $effect(() => {
    const first = setTimeout(() => void loadCost(), costAfterMs);
    const every = setInterval(() => void loadCost(), costEveryMs);
    return () => {
      clearTimeout(first);
      clearInterval(every);
    };
  });
  return {
    get sessions() {
      return list?.counts.all;
    },
    get projects() {
      return list?.projects ?? [];
    },
    get today() {
      return today;
    },
  };
}
