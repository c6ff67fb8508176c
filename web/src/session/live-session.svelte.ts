/**
 * A session that is being looked at: followed once, however many parts of the page show it, and let go when
 * none does any more.
 */
import type { Client, DataState, Following, SessionUpdate } from '../../../src/client/client.ts';
import type { Recorded } from '../../../src/kernel/event.ts';
import { withQueuedRequest } from '../../../src/views/resumed-transcript.ts';
import type { Status } from '../../../src/views/status.ts';
import type { TranscriptPage } from '../../../src/views/transcript-page.ts';
import { getApi } from '../connection/api.ts';
import { recordedOf } from './newest-events.ts';
import { viewOfSnapshot, viewWith, viewWithEarlier, type SessionView } from './session-view.ts';

export interface LiveSession {
  readonly id: string;
  readonly view: SessionView | undefined;
  readonly data: DataState;
  readonly problem: string | undefined;
  readonly isLoadingEarlier: boolean;
  loadEarlier(): Promise<void>;
  /** The whole of a text that the transcript only opens. */
  readBody(blob: string): Promise<string>;
}

export interface LiveSessions {
  /** Shared until as many have let go as asked. */
  open(id: string): LiveSession;
  letGo(id: string): void;
}

const pageLength = 100;
const statusDelayMs = 150;
/** Let go of later: whoever goes to the inbox and back has the session at once. */
const lingerMs = 20_000;

export function createLiveSessions(client: Client): LiveSessions {
  const open = new Map<string, { readonly live: Followed; users: number; timer?: number }>();
  return {
    open(id) {
      const had = open.get(id);
      if (had !== undefined) {
        had.users += 1;
        clearTimeout(had.timer);
        return had.live;
      }
      const live = followSession(client, id);
      open.set(id, { live, users: 1 });
      return live;
    },
    letGo(id) {
      const entry = open.get(id);
      if (entry === undefined) return;
      entry.users -= 1;
      if (entry.users > 0) return;
      entry.timer = setTimeout(() => {
        open.delete(id);
        entry.live.stop();
      }, lingerMs);
    },
  };
}

interface Followed extends LiveSession {
  stop(): void;
}

function followSession(client: Client, id: string): Followed {
  let view = $state.raw<SessionView>();
  let data = $state<DataState>('catching-up');
  let problem = $state<string>();
  let isLoadingEarlier = $state(false);
  let statusTimer: number | undefined;
  /** While the prompts of a snapshot's queue are looked up, what comes waits. */
  let held: SessionUpdate[] | undefined;

  function take(update: SessionUpdate): void {
    if (update.type === 'snapshot') return begin(update);
    if (held !== undefined) return void held.push(update);
    if (view === undefined) return;
    view = viewWith(view, update);
    if (update.type === 'event') askStatus();
  }

  function begin({ view: given }: Extract<SessionUpdate, { type: 'snapshot' }>): void {
    const fresh = viewOfSnapshot(given);
    const { prompts } = given.status.queue;
    if (prompts.length === 0) {
      held = undefined;
      view = fresh;
      return;
    }
    const waiting: SessionUpdate[] = [];
    held = waiting;
    void Promise.all(prompts.map(({ prompt }) => eventAt(id, prompt))).then((found) => {
      if (held !== waiting) return;
      held = undefined;
      const events = found.filter((recorded) => recorded !== undefined);
      view = { ...fresh, transcript: events.reduce(withQueuedRequest, fresh.transcript) };
      for (const update of waiting) take(update);
    });
  }

  function askStatus(): void {
    statusTimer ??= setTimeout(() => {
      statusTimer = undefined;
      void getApi<Status>(`/sessions/${id}`).then((answer) => {
        if (view === undefined || answer.type !== 'ok') return;
        view = { ...view, status: answer.value };
        if (answer.value.seq < view.transcript.seq) askStatus();
      });
    }, statusDelayMs);
  }

  const following: Following = client.follow(id, {
    update: take,
    state: (next) => (data = next),
    problem: ({ message }) => (problem = message),
  });

  return {
    id,
    get view() {
      return view;
    },
    get data() {
      return data;
    },
    get problem() {
      return problem;
    },
    get isLoadingEarlier() {
      return isLoadingEarlier;
    },
    async loadEarlier() {
      const before = view?.before;
      if (before === undefined || isLoadingEarlier) return;
      isLoadingEarlier = true;
      const page = await getApi<TranscriptPage>(`/sessions/${id}/transcript?before=${before}&limit=${pageLength}`);
      // A snapshot may have taken the place of all that was there.
      if (page.type === 'ok' && view?.before === before) view = viewWithEarlier(view, page.value);
      isLoadingEarlier = false;
    },
    async readBody(blob) {
      const answer = await getApi<{ readonly text: string }>(`/sessions/${id}/blobs/${blob}`);
      if (answer.type === 'problem') throw new Error(answer.message);
      return answer.value.text;
    },
    stop() {
      clearTimeout(statusTimer);
      following.stop();
    },
  };
}

async function eventAt(session: string, seq: number): Promise<Recorded | undefined> {
  const page = await getApi<{ readonly events: readonly Parameters<typeof recordedOf>[0][] }>(
    `/sessions/${session}/events?after=${seq - 1}&limit=1`,
  );
  const flat = page.type === 'ok' ? page.value.events[0] : undefined;
  return flat === undefined ? undefined : recordedOf(flat);
}
