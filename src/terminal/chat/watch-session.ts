/**
 * Follows the chat's current session. Looks up its status and its workers' questions, which its events alone don't
 * contain.
 */
import { isBlobRef, type Body } from '../../kernel/content.ts';
import { Fault } from '../../kernel/fault.ts';
import { sessionOfQuestion, type SessionId } from '../../kernel/ids.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { Item } from '../../views/transcript-item.ts';
import { chatViewWith, newChatView, withNote, withText, type ChatView, type Note } from './chat-view.ts';
import { isEnded } from './worker-rows.ts';

interface WatchedSession {
  readonly view: ChatView | undefined;
  /** Throws before the first session. */
  current(): { readonly session: SessionClient; readonly view: ChatView };
  /** Switches to another session. */
  begin(next: SessionClient, status: NonNullable<ChatView['status']>): void;
  note(text: string, tone?: Note['tone']): void;
  /** Hides a question that was answered here until the next refresh. */
  answered(question: string): void;
  /** Reloads the state that events don't contain. */
  refresh(): void;
  /** Loads a full text of which only the beginning is known. */
  wantText(body: Body): void;
  /** Resolves when the session is idle or waits for an answer, and everything is shown. */
  settled(): Promise<void>;
  close(): void;
}

/** How much of a long session is drawn: enough for a few hundred turns. */
const mostEvents = 3000;
const askBelowEveryMs = 2000;
/** Screens of other sessions that are kept for a return. */
const mostVisited = 8;
/** How much of a fork's history before the fork is drawn. */
const mostShared = 200;

export function watchSession(onChange: () => void): WatchedSession {
  let view: ChatView | undefined;
  let session: SessionClient | undefined;
  let following = new AbortController();
  let refreshing: Promise<void> | undefined;
  let isStale = false;
  let isReadingContext = false;
  let below: NodeJS.Timeout | undefined;
  const wanted = new Set<string>();
  const waiting = new Set<() => void>();
  const visited = new Map<SessionId, ChatView>();

  function become(next: ChatView): void {
    view = next;
    onChange();
    for (const check of waiting) check();
  }
  function note(text: string, tone: Note['tone'] = 'plain'): void {
    if (view !== undefined) become(withNote(view, text, tone));
  }

  /** Runs one refresh at a time, then one more for all requests in between. */
  function refresh(): void {
    isStale = true;
    if (refreshing !== undefined || session === undefined) return;
    const looked = session;
    refreshing = (async () => {
      while (isStale && session === looked) {
        isStale = false;
        const status = await looked.status();
        if (session === looked && view !== undefined) become({ ...view, status });
        await lookBelow(looked);
      }
    })()
      .catch((error: unknown) => note(`Can't read the session: ${(error as Error).message}`, 'error'))
      .finally(() => {
        refreshing = undefined;
        if (isStale) refresh();
        for (const check of waiting) check();
      });
  }
  /** Workers' questions are in their own sessions. Looks for them while there may be any. */
  async function lookBelow(looked: SessionClient): Promise<void> {
    clearTimeout(below);
    const live = view?.workers.filter(({ state }) => !isEnded(state)) ?? [];
    if (live.length === 0 && view?.questionsBelow.length === 0) return;
    const questions = await looked.questions();
    if (session !== looked || view === undefined) return;
    const isBelow = ({ id }: OpenQuestion) => sessionOfQuestion(id) !== looked.id;
    become({ ...view, questionsBelow: questions.filter(isBelow) });
    below = setTimeout(refresh, askBelowEveryMs);
    below.unref();
  }

  /** The share changes with each model call. One lookup at a time. */
  function lookAtContext(looked: SessionClient): void {
    if (isReadingContext) return;
    isReadingContext = true;
    looked
      .context()
      .then((context) => {
        if (session === looked && view !== undefined) become({ ...view, context });
      })
      // The footer keeps the last share.
      .catch(() => undefined)
      .finally(() => {
        isReadingContext = false;
      });
  }

  async function follow(followed: SessionClient, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { seq, origin } = await followed.status();
      const shared = origin === undefined ? [] : await sharedItems(followed);
      let caughtUp = newChatView(followed.id, shared);
      const show = () => {
        const { status, context, notes = [], texts = caughtUp.texts } = view ?? {};
        become({ ...caughtUp, texts: new Map([...texts, ...caughtUp.texts]), status, context, notes });
      };
      let isCaughtUp = seq === 0;
      if (isCaughtUp) show();
      lookAtContext(followed);
      for await (const update of followed.follow({ after: Math.max(0, seq - mostEvents), signal })) {
        if (signal.aborted) return;
        // The reader fell behind, so start over.
        if (update.type === 'gap' || update.type === 'snapshot') break;
        // Shows stored history at once, not event by event.
        if (!isCaughtUp) {
          caughtUp = chatViewWith(caughtUp, update);
          isCaughtUp = caughtUp.transcript.seq >= seq;
          if (isCaughtUp) show();
        } else if (view !== undefined) become(chatViewWith(view, update));
        if (update.type !== 'event' || !isCaughtUp) continue;
        refresh();
        const { type } = update.recorded.event;
        if (type === 'model-settled' || type === 'turn-ended') lookAtContext(followed);
      }
    }
  }

  return {
    get view() {
      return view;
    },
    current() {
      if (session === undefined || view === undefined)
        throw new Fault('closed', 'No session is open yet. Wait for it, or start one with /new.');
      return { session, view };
    },
    begin(next, status) {
      following.abort();
      following = new AbortController();
      const { signal } = following;
      session = next;
      wanted.clear();
      // The screen of the last visit stands until the session's present state has arrived.
      const { session: left } = view ?? {};
      if (view !== undefined && left !== undefined) visited.set(left, view);
      for (const [oldest] of visited) if (visited.size > mostVisited) visited.delete(oldest);
      become({ ...(visited.get(next.id) ?? newChatView(next.id)), status, notes: [] });
      follow(next, signal).catch((error: unknown) => {
        if (!signal.aborted) note(`Can't follow the session: ${(error as Error).message}`, 'error');
      });
    },
    note,
    answered(question) {
      if (view === undefined) return;
      become({ ...view, questionsBelow: view.questionsBelow.filter(({ id }) => id !== question) });
      refresh();
    },
    refresh,
    wantText(body) {
      if (!isBlobRef(body) || wanted.has(body.blob) || session === undefined) return;
      wanted.add(body.blob);
      const asked = session;
      asked
        .read(body)
        .then((text) => {
          if (session === asked && view !== undefined) become(withText(view, body.blob, text));
        })
        .catch(() => wanted.delete(body.blob));
    },
    settled: () =>
      new Promise((resolve) => {
        const check = () => {
          const { status, transcript } = view ?? {};
          if (status === undefined || transcript === undefined || refreshing !== undefined || isStale) return;
          const isAtRest = status.turn === undefined && (status.queue.prompts.length === 0 || status.queue.paused);
          // A worker's question eventually blocks its parent, so the next line answers it.
          const isAsked = status.lifecycle === 'waiting' || (view?.questionsBelow ?? []).length > 0;
          if (status.seq !== transcript.seq || !(isAtRest || isAsked)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        refresh();
      }),
    close() {
      following.abort();
      clearTimeout(below);
    },
  };
}

/** The end of the history that a fork shares with its origin. */
async function sharedItems(fork: SessionClient): Promise<readonly Item[]> {
  const { items } = await fork.transcript({ limit: mostShared });
  return items.filter(({ id }) => id.includes(':'));
}
