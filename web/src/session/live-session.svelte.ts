/** An open session. It is followed once, however many parts of the page show it, and released when none does. */
import type { Client, DataState, Following, SessionUpdate } from '../../../src/client/client.ts';
import type { Recorded } from '../../../src/kernel/event.ts';
import { itemAt } from '../../../src/views/persistent-list.ts';
import { withQueuedRequest } from '../../../src/views/resumed-transcript.ts';
import type { Status } from '../../../src/views/status.ts';
import type { TranscriptPage } from '../../../src/views/transcript-page.ts';
import { getApi } from '../connection/api.ts';
import {
  mostItems,
  partFromEnd,
  partOf,
  partWithEarlier,
  partWithLater,
  seqOfItem,
  viewOfPart,
  type EarlierPart,
} from './earlier-part.ts';
import { recordedOf } from './newest-events.ts';
import {
  viewOfLast,
  viewOfSnapshot,
  viewWith,
  viewWithEarlier,
  withoutEarlier,
  type SessionView,
} from './session-view.ts';

export interface LiveSession {
  readonly id: string;
  readonly view: SessionView | undefined;
  readonly data: DataState;
  readonly problem: string | undefined;
  /** The displayed view: the end of the conversation, or a part away from it. */
  readonly shown: SessionView | undefined;
  readonly isAway: boolean;
  /** The event to which the user jumped. */
  readonly target: { readonly seq: number } | undefined;
  readonly isLoadingEarlier: boolean;
  loadEarlier(): Promise<void>;
  loadLater(): Promise<void>;
  goTo(seq: number): Promise<void>;
  goToEnd(): void;
  /** Shows only the newest items. Without a count, shows all loaded ones. */
  show(count: number | undefined): void;
  /** Loads the full text of which the transcript has only the beginning. */
  readBody(blob: string): Promise<string>;
}

interface LiveSessions {
  /** Reference-counted: shared until every caller has released it. */
  open(id: string): LiveSession;
  letGo(id: string): void;
}

const pageLength = 100;
/** How many events after the target are loaded with it. */
const aroundTarget = 40;
const statusDelayMs = 150;
/** Delay before release, so that returning from the inbox shows the session at once. */
const lingerMs = 20_000;

const ofClients = new WeakMap<Client, LiveSessions>();

/** The open sessions of a client, which outlive their screens. Loaded with the first of them. */
export function liveSessionsOf(client: Client): LiveSessions {
  const live = ofClients.get(client) ?? createLiveSessions(client);
  ofClients.set(client, live);
  return live;
}

function createLiveSessions(client: Client): LiveSessions {
  const open = new Map<
    string,
    { readonly live: Followed; users: number; timer?: ReturnType<typeof setTimeout> }
  >();
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
  let part = $state.raw<EarlierPart>();
  let target = $state.raw<{ readonly seq: number }>();
  // Not `$derived`: it would end with the component that opened the session first, and the session outlives that.
  const shown = () => (view === undefined || part === undefined ? view : viewOfPart(view, part));
  let statusTimer: ReturnType<typeof setTimeout> | undefined;
  /** Updates held back while the prompts of a snapshot's queue are loading. */
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

  async function pageBefore(before: string, limit: number): Promise<TranscriptPage | undefined> {
    const page = await getApi<TranscriptPage>(`/sessions/${id}/transcript?before=${before}&limit=${limit}`);
    return page.type === 'ok' ? page.value : undefined;
  }
  async function goTo(seq: number): Promise<void> {
    isLoadingEarlier = true;
    const page = await pageBefore(String(seq + aroundTarget), pageLength);
    isLoadingEarlier = false;
    if (page === undefined) return;
    part = partOf(page);
    target = { seq };
  }
  function goToEnd(): void {
    if (view !== undefined && part !== undefined) view = withoutEarlier(view);
    part = undefined;
    target = undefined;
  }

  return {
    id,
    get shown() {
      return shown();
    },
    get isAway() {
      return part !== undefined;
    },
    get target() {
      return target;
    },
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
      const before = shown()?.before;
      if (before === undefined || isLoadingEarlier || (view?.cleared ?? 0) > 0) return;
      isLoadingEarlier = true;
      const page = await pageBefore(before, pageLength);
      isLoadingEarlier = false;
      // A snapshot may have replaced everything since.
      if (page === undefined || view === undefined || shown()?.before !== before) return;
      if (part !== undefined) part = partWithEarlier(part, page);
      else if (view.earlier.length < mostItems) view = viewWithEarlier(view, page);
      else {
        part = partFromEnd(view, page);
        view = withoutEarlier(view);
      }
    },
    async loadLater() {
      const last = seqOfItem(part?.items.at(-1)?.id ?? ':');
      if (part === undefined || view === undefined || isLoadingEarlier) return;
      if (last === undefined || part.items.length >= mostItems) return last === undefined ? goToEnd() : goTo(last);
      isLoadingEarlier = true;
      const from = part;
      let grown = from;
      // A range of events may produce no visible items.
      for (let reach = pageLength; grown.items.length === from.items.length; reach *= 4) {
        const page = await pageBefore(String(last + reach), reach);
        if (page !== undefined) grown = partWithLater(from, page);
        if (page === undefined || last + reach > view.transcript.seq) break;
      }
      isLoadingEarlier = false;
      if (part !== from) return;
      const end = itemAt(view.transcript.items, 0)?.id;
      const reached = seqOfItem(grown.items.at(-1)?.id ?? ':') ?? 0;
      if (grown === from || (end !== undefined && reached >= Number.parseInt(end, 10))) goToEnd();
      else part = grown;
    },
    goTo,
    goToEnd,
    show(count) {
      goToEnd();
      if (view !== undefined) view = viewOfLast(view, count);
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
