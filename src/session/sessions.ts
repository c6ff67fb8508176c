/**
 * Many sessions in one process: opened on demand, one owner each, hibernated when nothing happens.
 *
 * 1. A session is alive in at most one process; what another one owns is reached through its inbox.
 * 2. Taking over is ordered (O4): claim, stop what earlier owners left running, settle what was in flight, accept
 *    input. Nobody reaches the session before the last step.
 * 3. An idle session holds neither memory nor a claim; a timer of it wakes it again.
 * 4. One session's failure suspends that session and nothing else.
 * 5. A session is released only when nothing of it runs here any more (O7).
 */
import type { AppendRequest } from '../journal/journal.ts';
import type { HandOverRequest, Owner } from '../journal/lease.ts';
import type { Store } from '../journal/store.ts';
import type { Actor } from '../kernel/actor.ts';
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
import { createBackoff } from './backoff.ts';
import { createLetterService } from './serve-letters.ts';

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
  /** Takes over sessions that have work in flight, a due timer or letters, and whose owner is gone. */
  adopt(): Promise<readonly SessionId[]>;
  /** Writes what is pending, ends what runs and gives the session up. */
  release(session: SessionId): Promise<void>;
  /**
   * Ends what runs and gives every session up; nothing is opened before the returned function is called. For a process
   * that is about to be stopped.
   */
  pause(): Promise<() => void>;
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
  /** Ends processes that owners of a session before this epoch left running. */
  readonly killOrphans: (session: SessionId, options: { readonly below: number }) => Promise<void>;
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
  const backoff = createBackoff(clock);
  const letters = createLetterService(store.inbox, parts.step);
  const closing = new AbortController();
  let paused: PromiseWithResolvers<void> | undefined;
  let isClosed = false;
  let endWithin = defaultEndMs;
  const sleep = createHibernation({
    lives,
    clock,
    afterMs: parts.hibernateAfterMs,
    keepsProcesses: (session) => parts.interpreter.keepsProcesses?.(session) ?? false,
    letGo,
    wake: (session) => void acquireQuietly(session),
  });
  const lookFirst = createLookFirst({ journal, leases, open: acquireQuietly });

  const liveParts = {
    store,
    interpreter: parts.interpreter,
    step: parts.step,
    now: () => clock.now(),
    pause: (ms: number) => new Promise<void>((resolve) => void clock.at(clock.now() + ms, resolve)),
    onEvent(session: SessionId, recorded: Recorded, state: State) {
      sleep.used(session);
      // Observers can't hurt a session.
      try {
        parts.onEvent?.(session, recorded, state);
      } catch (error) {
        parts.onProblem(`an observer of session ${session} failed`, { session, error: String(error) });
      }
    },
    onSuspended(session: SessionId, fault: Fault) {
      const live = lives.get(session);
      // Given up, so that whoever adopts next takes it up again; as long as it is ours nobody else may.
      if (live !== undefined) void unattended('giving up', session, () => letGo(live));
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

  /** Whoever opens the session again waits until nothing of the old one is left. */
  function letGo(live: LiveSession): Promise<void> {
    const { id } = live;
    lives.delete(id);
    sleep.forget(id);
    const gone = endAndRelease(live).finally(() => {
      if (leaving.get(id) === gone) leaving.delete(id);
    });
    leaving.set(id, gone);
    return gone;
  }

  async function endAndRelease(live: LiveSession): Promise<void> {
    const running = [...(await live.stop()), ...(await parts.interpreter.leave(live.id))];
    if (running.length > 0) {
      parts.onProblem(`effects of session ${live.id} can’t be ended`, { session: live.id, running });
    }
    await live.claim.release({ isUnclean: running.length > 0 });
  }

  async function open(session: SessionId): Promise<LiveSession | { readonly owner: Owner } | undefined> {
    if (paused !== undefined) await paused.promise;
    checkRoom();
    await leaving.get(session)?.catch(() => undefined);
    lostWhileOpening.delete(session);
    if ((await journal.head(session)) === undefined) return undefined;
    const answer = await leases.claim(session);
    if (answer.type === 'held') return { owner: answer.owner };
    const { claim } = answer;
    let live: LiveSession | undefined;
    try {
      const loaded = (await lookFirst.takeRead(session)) ?? (await loadSession(journal, session));
      if (loaded === undefined) {
        await claim.release();
        return undefined;
      }
      if (loaded.damage !== undefined) {
        const { seq, reason } = loaded.damage;
        const fields = { session, seq, reason };
        parts.onProblem(`session ${session} is damaged at event ${seq} and opens up to there`, fields);
      }
      live = createLiveSession(liveParts, { ...loaded, claim });
      await takeOver(live);
    } catch (error) {
      await (live === undefined ? claim.release() : endAndRelease(live)).catch(() => undefined);
      if (lostWhileOpening.has(session)) return open(session);
      throw error;
    }
    if (lostWhileOpening.has(session)) {
      await live.stop();
      return open(session);
    }
    keep(live);
    // What was sent before it was opened comes first: whoever opened it looks at what became of that.
    await letters.serve(live).catch(() => serveLetters(live));
    return live;
  }

  /** What earlier owners left running ends before anything of it is settled or begun again. */
  async function takeOver(live: LiveSession): Promise<void> {
    const { claim } = live;
    if (claim.isUnclean) await parts.killOrphans(live.id, { below: claim.epoch });
    if (isInMotion(live.state)) await live.recover();
    else if (claim.isUnclean) await claim.cleaned();
  }

  const letterRetryMs = 1000;

  /** Letters that can't be taken now are looked for again. */
  function serveLetters(live: LiveSession): void {
    letters.serve(live).catch((error: unknown) => {
      if (lives.get(live.id) !== live || isClosed) return;
      parts.onProblem(`taking letters for session ${live.id} failed`, { session: live.id, error: String(error) });
      clock.at(clock.now() + letterRetryMs, () => lives.get(live.id) === live && serveLetters(live));
    });
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

  /** One that failed to open is left alone for a while, longer each time. */
  async function acquireQuietly(session: SessionId): Promise<LiveSession | undefined> {
    if (backoff.isWaiting(session)) return undefined;
    return unattended('opening', session, async () => {
      backoff.failed(session);
      const found = await acquire(session);
      backoff.succeeded(session);
      return found !== undefined && 'submit' in found ? found : undefined;
    });
  }

  async function release(session: SessionId): Promise<void> {
    await opening.get(session)?.catch(() => undefined);
    lookFirst.forget(session);
    sleep.forget(session);
    const live = lives.get(session);
    await (live === undefined ? leaving.get(session) : letGo(live));
  }

  /** At a boundary, or when the deadline is over and what still runs has been ended. */
  async function handOver({ session, withinMs }: HandOverRequest): Promise<void> {
    const live = lives.get(session);
    if (live === undefined) return;
    const late = Promise.withResolvers<void>();
    const disarm = withinMs === undefined ? undefined : clock.at(clock.now() + withinMs, () => late.resolve());
    await Promise.race([live.boundary(), late.promise]);
    disarm?.();
    if (lives.get(session) === live) await letGo(live);
  }

  const stopListening = [
    store.inbox.onArrival((session) => {
      const live = lives.get(session);
      if (live !== undefined) serveLetters(live);
      else void acquireQuietly(session);
    }),
    publishProgress(store.bus, (session) => lives.get(session), clock),
    leases.onHandOverRequested((request) => {
      void unattended('handing over', request.session, () => handOver(request));
    }),
    leases.onStanding((standing) => {
      for (const live of lives.values()) {
        if (standing === 'sure') live.resume();
        else if (standing === 'lapsed') void unattended('stopping', live.id, () => live.halt());
      }
    }),
    leases.onLost((sessions) => {
      for (const session of sessions) {
        const live = lives.get(session);
        if (live !== undefined) void unattended('giving up', session, () => letGo(live));
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
          claim: leases.create(id),
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
      const found = await leases.claimable({ at: clock.now(), limit: mostAdopted });
      const adopted = await Promise.all(found.map(acquireQuietly));
      return adopted.flatMap((live) => (live === undefined ? [] : [live.id]));
    },
    release,
    async pause() {
      const mine = (paused ??= Promise.withResolvers());
      await Promise.allSettled([...lives.values()].map(letGo));
      return () => {
        if (paused === mine) paused = undefined;
        mine.resolve();
      };
    },
    get count() {
      return lives.size;
    },
    closing: closing.signal,
    async drain(options) {
      isClosed = true;
      endWithin = options.endWithin ?? defaultEndMs;
      sleep.stop();
      lookFirst.stop();
      await drainSessions([...lives.values()], { ...options, clock });
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      paused?.resolve();
      closing.abort();
      sleep.stop();
      lookFirst.stop();
      for (const stop of stopListening) stop();
      const all = async () => {
        await Promise.allSettled(opening.values());
        await Promise.allSettled([...lives.values()].map(letGo));
        await Promise.allSettled(leaving.values());
      };
      // What can't be ended isn't released: whoever claims it next cleans up first. By real time too, since nobody may
      // turn a given clock any more.
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, endWithin);
      const disarm = clock.at(clock.now() + endWithin, () => late.resolve());
      await Promise.race([all(), late.promise]);
      clearTimeout(timer);
      disarm();
    },
  };
}

const defaultEndMs = 5000;

/** At one look; the next look finds the rest. */
const mostAdopted = 10_000;
