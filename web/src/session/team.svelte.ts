/** The workers of one session: names, states and activities. Loaded while the session has any. */
import { createContext } from 'svelte';

import type { DirectoryEntry } from '../../../src/views/directory.ts';
import type { SessionOutcome } from '../../../src/views/session-row.ts';
import { costText } from '../../../src/wording/cost.ts';
import { effectText } from '../../../src/wording/effect-sentence.ts';
import { tokensText } from '../../../src/wording/amount.ts';
import { getApi } from '../connection/api.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import { titleOf } from '../home/directory.ts';
import { questionOf } from '../home/row-text.ts';
import type { Glyph } from '../look/glyph.ts';
import type { WorkerView } from '../../../src/ports/workforce.ts';

export interface Worker {
  readonly id: string;
  readonly name: string;
  readonly session: string | undefined;
  readonly glyph: Glyph;
  /** What it does, asks or did. */
  readonly text: string;
  readonly figures: string;
  readonly since: number | undefined;
}

export interface Team {
  /** Waiting ones first. Ended ones stay, as long as their sessions exist. */
  readonly workers: readonly Worker[];
  nameOf(worker: { readonly worker: string; readonly session?: string }): string | undefined;
}

const calmMs = 400;
const order: readonly Glyph[] = ['need', 'fail', 'work', 'unknown', 'done', 'idle', 'stop'];

export function createTeam(app: RondoApp, session: string, isWanted: () => boolean): Team {
  let entries = $state.raw<readonly WorkerView[]>([]);
  let outcomes = $state.raw<Readonly<Record<string, SessionOutcome>>>({});
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The newest session of each name: a retried worker has several. */
  const rows = $derived(
    [...app.directory.values()]
      .filter(({ parent }) => parent === session)
      .toSorted((a, b) => a.updatedAt - b.updatedAt),
  );
  async function load(): Promise<void> {
    timer = undefined;
    const ended = rows.filter(({ state, turns }) => state !== 'running' && turns > 0).slice(-50);
    const [workers, said] = await Promise.all([
      getApi<{ workers: readonly WorkerView[] }>('/workers'),
      ended.length === 0
        ? undefined
        : getApi<{ outcomes: typeof outcomes }>(
            `/sessions/outcomes?sessions=${ended.map((row) => row.session).join(',')}`,
          ),
    ]);
    if (workers.type === 'ok') entries = workers.value.workers.filter(({ parent }) => parent === session);
    if (said?.type === 'ok') ({ outcomes } = said.value);
  }
  $effect(() => {
    void app.directory;
    if (isWanted()) timer ??= setTimeout(() => void load(), calmMs);
  });
  const workers = $derived.by(() => {
    const byName = new Map<string, Worker>();
    for (const row of rows) byName.set(titleOf(row), workerOf(titleOf(row), row, undefined, app, outcomes));
    for (const entry of entries) {
      const row = entry.session === undefined ? undefined : app.directory.get(entry.session);
      byName.set(entry.name, workerOf(entry.name, row, entry, app, outcomes));
    }
    return [...byName.values()].toSorted((a, b) => order.indexOf(a.glyph) - order.indexOf(b.glyph));
  });
  return {
    get workers() {
      return workers;
    },
    nameOf({ worker, session: own }) {
      const row = own === undefined ? undefined : app.directory.get(own);
      return row === undefined ? entries.find(({ id }) => id === worker)?.name : titleOf(row);
    },
  };
}

function workerOf(
  name: string,
  row: DirectoryEntry | undefined,
  entry: WorkerView | undefined,
  app: RondoApp,
  outcomes: Readonly<Record<string, SessionOutcome>>,
): Worker {
  const session = row?.session ?? entry?.session;
  const question = session === undefined ? undefined : questionOf(session, app.questions, app.directory);
  const glyph = question === undefined ? glyphOf(row, entry) : 'need';
  const [doing] = entry?.doing ?? [];
  const sentence = session === undefined ? undefined : outcomes[session]?.sentence;
  const words: Readonly<Record<Glyph, string>> = {
    need: question === undefined ? 'Needs you' : effectText(question.about),
    fail: row?.problem ?? 'Failed',
    work: doing === undefined ? 'Working' : doing.charAt(0).toUpperCase() + doing.slice(1),
    done: sentence ?? 'Finished',
    stop: 'Stopped',
    idle: 'Idle',
    unknown: 'Outcome unknown',
  };
  return {
    id: entry?.id ?? session ?? name,
    name,
    session,
    glyph,
    text: words[glyph],
    figures:
      row === undefined || row.turns === 0 || row.inputTokens + row.outputTokens === 0
        ? ''
        : `${costText(row)} · ${tokensText(row.inputTokens + row.outputTokens)}`,
    since: row?.workingSince ?? row?.updatedAt,
  };
}

function glyphOf(row: DirectoryEntry | undefined, entry: WorkerView | undefined): Glyph {
  if (row !== undefined && row.questions > 0) return 'need';
  if ((entry?.jobs.active ?? 0) > 0 || row?.state === 'running') return 'work';
  switch (row?.ending) {
    case undefined:
      return (entry?.jobs.all ?? 0) > 0 ? 'done' : 'idle';
    case 'completed':
      return 'done';
    case 'cancelled':
      return 'stop';
    default:
      return 'fail';
  }
}

export const [useTeam, provideTeam] = createContext<Team>();
