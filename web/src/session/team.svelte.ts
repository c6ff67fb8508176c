/** The workers of one session: names, states and activities. Loaded while the session has any. */
import { createContext } from 'svelte';

import { costText } from '../../../src/wording/cost.ts';
import { tokensText } from '../../../src/wording/amount.ts';
import { getApi } from '../connection/api.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import type { Glyph } from '../look/glyph.ts';
import type { WorkerEntry } from '../workers/worker-tree.ts';

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
  /** Waiting ones first. */
  readonly workers: readonly Worker[];
  nameOf(worker: string): string | undefined;
}

const calmMs = 400;

export function createTeam(app: RondoApp, session: string, isWanted: () => boolean): Team {
  let all = $state.raw<readonly WorkerEntry[]>([]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function load(): Promise<void> {
    timer = undefined;
    const answer = await getApi<{ workers: readonly WorkerEntry[] }>('/workers');
    if (answer.type === 'ok') all = answer.value.workers.filter(({ parent }) => parent === session);
  }
  $effect(() => {
    void app.directory;
    if (isWanted()) timer ??= setTimeout(() => void load(), calmMs);
  });
  const order: readonly Glyph[] = ['need', 'fail', 'work', 'unknown', 'done', 'idle', 'stop'];
  const workers = $derived(
    all.map((entry) => workerOf(entry, app)).toSorted((a, b) => order.indexOf(a.glyph) - order.indexOf(b.glyph)),
  );
  return {
    get workers() {
      return workers;
    },
    nameOf: (worker) => all.find(({ id }) => id === worker)?.name,
  };
}

function workerOf(entry: WorkerEntry, app: RondoApp): Worker {
  const row = entry.session === undefined ? undefined : app.directory.get(entry.session);
  const isActive = entry.jobs.active > 0;
  const glyph =
    row !== undefined && row.questions > 0
      ? 'need'
      : row?.ending === 'failed' && !isActive
        ? 'fail'
        : isActive
          ? 'work'
          : entry.jobs.all > 0
            ? 'done'
            : 'idle';
  const [doing] = entry.doing;
  const words = {
    need: 'Needs you',
    fail: row?.problem ?? 'Failed',
    work: doing === undefined ? 'Working' : doing.charAt(0).toUpperCase() + doing.slice(1),
    done: 'Finished',
  };
  return {
    id: entry.id,
    name: entry.name,
    session: entry.session,
    glyph,
    text: glyph === 'idle' ? 'Idle' : words[glyph],
    figures:
      row === undefined || row.turns === 0
        ? ''
        : `${costText(row)} · ${tokensText(row.inputTokens + row.outputTokens)}`,
    since: row?.workingSince ?? row?.updatedAt,
  };
}

export const [useTeam, provideTeam] = createContext<Team>();
