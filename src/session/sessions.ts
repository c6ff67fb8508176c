/**
 * Many sessions in one process: opened on demand, one owner each, hibernated when nothing happens.
 *
 * 1. A session is alive in at most one process; what another one owns is reached through its inbox.
 * 2. A session taken over from a dead owner has what that owner left running ended first.
 * 3. An idle session holds no memory; a timer of it wakes it again.
 * 4. One session's failure suspends that session and nothing else.
 */
import type { AppendRequest } from '../journal/journal.ts';
import type { Owner } from '../journal/lease.ts';
import type { Store } from '../journal/store.ts';
import { host, type Actor } from '../kernel/actor.ts';
import type { Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { SessionSetup } from '../kernel/input.ts';
import { newState, type State } from '../kernel/state.ts';
import type { Step } from '../kernel/step.ts';
import { drainSessions, type Draining } from './drain-sessions.ts';
import { createHibernation } from './hibernation.ts';
import type { Interpreter } from './interpreter.ts';
import { createLiveSession, type LiveSession } from './live-session.ts';
import { loadSession } from './load-session.ts';
import { createLookFirst, isInMotion } from './look-first.ts';
import { publishProgress } from './publish-progress.ts';
import { serveInbox } from './serve-inbox.ts';

export interface Sessions extends AsyncDisposable {
  /** `creation`: a key that makes one session in the whole store. */
  create(id: SessionId, setup: SessionSetup, by: Actor, creation?: AppendRequest['creation']): LiveSession;
  /** The session alive here, or who owns it elsewhere; undefined where there is none of that id. */
  acquire(session: SessionId): LiveSession | Promise<LiveSession | { readonly owner: Owner } | undefined>;
  /**
   * What a session at rest is, read before it is owned; it is opened right after. Undefined where it is alive
   * here or has to be acquired first.
   */
  look(session: SessionId): Promise<State | undefined>;
  /** The session where it is alive in this process already. */
  live(session: SessionId): LiveSession | undefined;
  /** Takes over every session that has work in flight, a due timer or letters, and whose owner is gone. */
  adopt(): Promise<readonly SessionId[]>;
  /** Writes what is pending, drops what runs and gives the session up. */
  release(session: SessionId): Promise<void>;
  readonly count: number;
  /** Aborted when this process begins to let go of everything. */
  readonly closing: AbortSignal;
  /** Refuses new inputs and waits for running turns to come to rest, no longer than the deadline. */
  drain(options: Draining): Promise<void>;
}

export interface SessionsParts {
  readonly store: Store;
  readonly interpreter: Interpreter;
  readonly step: Step;
  readonly clock: { now(): number; ticks(): number; at(time: number, call: () => void): () => void };
  /** Ends processes that owners of older epochs left running for a session. */
  readonly killOrphans: (session: SessionId, owned: { readonly below: number }) => Promise<void>;
  readonly onProblem: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  /** Told of every event after its commit. */
  readonly onEvent?: (session: SessionId, recorded: Recorded, state: State) => void;
  readonly hibernateAfterMs: number;
  readonly maxLive: number;
}

export function createSessions(parts: SessionsParts): Sessions {
  const { store, clock } = parts;
  const { journal, leases } = store;
  const lives = new Map<SessionId, LiveSession>();
  const opening = new Map<SessionId, Promise<LiveSession | { readonly owner: Owner } | undefined>>();
  const leaving = new Map<SessionId, Promise<void>>();
  const lostWhileOpening = new Set<SessionId>();
  const closing = new AbortController();
  let isClosed = false;
  const sleep = createHibernation({
    lives,
    clock,
    afterMs: parts.hibernateAfterMs,
    letGo: (live) => letGo(live, { isReleased: false }),
    wake: (session) => void acquireQuietly(session),
  });
  const lookFirst = createLookFirst({ journal, leases, open: acquireQuietly });

  const liveParts = {
    store,
    interpreter: parts.interpreter,
    step: parts.step,
    now: () => clock.now(),
    onEvent(session: SessionId, recorded: Recorded, state: State) {
      sleep.used(session);
      parts.onEvent?.(session, recorded, state);
    },
    onSuspended(session: SessionId, fault: Fault) {
      const live = lives.get(session);
      // Given up, so that whoever adopts next takes it up again; as long as it is ours nobody else may.
      if (live !== undefined) void unattended('giving up', session, () => letGo(live, { isReleased: true }));
      parts.onProblem(`session ${session} is suspended`, { session, code: fault.code, error: fault.message });
    },
  };

  function keep(live: LiveSession): LiveSession {
    lives.set(live.id, live);
    sleep.used(live.id);
    return live;
  }

  function checkRoom(): void {
    if (isClosed) throw new Fault('closed', 'Rondo is closed in this process; no session can be opened any more.');
    if (lives.size < parts.maxLive) return;
    throw new Fault(
      'busy',
      `This process holds its ${parts.maxLive} live sessions already; close one or raise maxLive.`,
    );
  }

  /** Whoever opens the session again meanwhile waits until nothing of the old one is left. */
  function letGo(live: LiveSession, { isReleased }: { readonly isReleased: boolean }): Promise<void> {
    const { id } = live;
    lives.delete(id);
    sleep.forget(id);
    const gone = (async () => {
      await live.stop();
      if (isReleased && live.state.seq > 0) await leases.release(id, live.epoch);
    })().finally(() => {
      if (leaving.get(id) === gone) leaving.delete(id);
    });
    leaving.set(id, gone);
    return gone;
  }

  async function open(session: SessionId): Promise<LiveSession | { readonly owner: Owner } | undefined> {
    checkRoom();
    await leaving.get(session)?.catch(() => undefined);
    lostWhileOpening.delete(session);
    if ((await journal.head(session)) === undefined) return undefined;
    const claim = await leases.claim(session);
    if (claim.type === 'held') return { owner: claim.owner };
    const loaded = (await lookFirst.takeRead(session)) ?? (await loadSession(journal, session));
    if (loaded === undefined) return undefined;
    if (lostWhileOpening.has(session)) return open(session);
    if (loaded.damage !== undefined) {
      const { seq, reason } = loaded.damage;
      parts.onProblem(`session ${session} is damaged at event ${seq} and opens up to there`, {
        session,
        seq,
        reason,
      });
    }
    const live = keep(createLiveSession(liveParts, { ...loaded, epoch: claim.epoch }));
    if (isInMotion(live.state)) {
      if (claim.previous !== undefined) await parts.killOrphans(session, { below: claim.epoch });
      await live.submit({ type: 'session-recovered', epoch: claim.epoch }, { by: host });
    }
    await serveInbox(store.inbox, live);
    return live;
  }

  function acquire(session: SessionId): ReturnType<Sessions['acquire']> {
    const live = lives.get(session);
    if (live !== undefined) {
      sleep.used(session);
      return live;
    }
    let pending = opening.get(session);
    if (pending === undefined) {
      sleep.forget(session);
      pending = open(session).finally(() => opening.delete(session));
      opening.set(session, pending);
    }
    return pending;
  }

  /** Work that nobody waits for: its failure is told and goes no further. */
  async function unattended<Value>(
    doing: string,
    session: SessionId,
    work: () => Promise<Value>,
  ): Promise<Value | undefined> {
    try {
      return await work();
    } catch (error) {
      parts.onProblem(`${doing} session ${session} failed`, { session, error: String(error) });
      return undefined;
    }
  }

  function acquireQuietly(session: SessionId): Promise<LiveSession | undefined> {
    return unattended('opening', session, async () => {
      const found = await acquire(session);
      return found !== undefined && 'submit' in found ? found : undefined;
    });
  }

  async function release(session: SessionId): Promise<void> {
    const live = lives.get(session);
    if (live !== undefined) return letGo(live, { isReleased: true });
    if (isClosed || opening.has(session)) return;
    // One that hibernates is still ours.
    const head = await journal.head(session);
    if (head === undefined || lives.has(session)) return;
    sleep.forget(session);
    lookFirst.forget(session);
    await leases.release(session, head.epoch);
  }

  const stopListening = [
    store.inbox.onArrival((session) => {
      void unattended('taking letters for', session, async () => {
        const live = await acquireQuietly(session);
        if (live !== undefined) await serveInbox(store.inbox, live);
      });
    }),
    publishProgress(store.bus, (session) => lives.get(session), clock),
    leases.onHandOverRequested((session) => {
      void unattended('handing over', session, () => release(session));
    }),
    leases.onLost((sessions) => {
      for (const session of sessions) {
        const live = lives.get(session);
        if (live !== undefined) void letGo(live, { isReleased: false });
        else if (opening.has(session)) lostWhileOpening.add(session);
      }
    }),
  ];

  return {
    create(id, setup, by, creation) {
      checkRoom();
      const body = { type: 'session-requested', ...setup } as const;
      return keep(
        createLiveSession(liveParts, {
          state: newState(id),
          epoch: 1,
          snapshotSeq: 0,
          snapshotSize: 0,
          setup: { body, by, creation },
        }),
      );
    },
    acquire,
    async look(session) {
      const isKnown = lives.has(session) || opening.has(session) || leaving.has(session);
      if (isKnown || isClosed || lives.size >= parts.maxLive) return undefined;
      return lookFirst.look(session);
    },
    live: (session) => lives.get(session),
    async adopt() {
      const candidates = new Set([
        ...(await journal.unfinished()),
        ...(await journal.due(clock.now())),
        ...(await store.inbox.pending()),
      ]);
      const adopted = await Promise.all([...candidates].map(acquireQuietly));
      return adopted.flatMap((live) => (live === undefined ? [] : [live.id]));
    },
    release,
    get count() {
      return lives.size;
    },
    closing: closing.signal,
    async drain(options) {
      isClosed = true;
      sleep.stop();
      lookFirst.stop();
      await drainSessions([...lives.values()], { ...options, clock });
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      closing.abort();
      sleep.stop();
      lookFirst.stop();
      for (const stop of stopListening) stop();
      await Promise.allSettled(opening.values());
      await Promise.allSettled([...lives.values()].map((live) => letGo(live, { isReleased: false })));
      await Promise.allSettled(leaving.values());
    },
  };
}
