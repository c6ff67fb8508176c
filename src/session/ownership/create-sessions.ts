/**
 * Many sessions in one process: opened on demand, one owner each, hibernated when idle.
 *
 * 1. A session is alive in at most one process (`held-sessions.ts`). Other processes reach it through its inbox.
 * 2. An idle session holds neither memory nor a claim. Its timer wakes it again.
 * 3. One session's failure suspends only that session.
 */
import type { HandOverRequest } from '../../ports/lease.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { Fault } from '../../kernel/fault.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import { newState, type State } from '../../kernel/state.ts';
import { unmet } from '../../journal/needed-labels.ts';
import { createBackoff } from './backoff.ts';
import { drainSessions } from './drain-sessions.ts';
import { createHeldSessions } from './held-sessions.ts';
import { createHibernation } from './hibernation.ts';
import type { LiveSession } from '../live/live-session.ts';
import { loadSession } from '../read/load-session.ts';
import { createLookFirst } from './look-first.ts';
import { needsOf } from '../../views/directory.ts';
import { publishProgress } from '../remote/publish-progress.ts';
import { createLetterService } from '../remote/serve-letters.ts';
import type { Sessions, SessionsParts } from './sessions.ts';
import { startSession } from '../live/start-session.ts';
import { waitWithin } from './wait-within.ts';

export function createSessions(parts: SessionsParts): Sessions {
  const { store, clock, onProblem } = parts;
  const { journal, leases } = store;
  const backoff = createBackoff(clock);
  const letters = createLetterService(store.inbox, parts.step);
  const closing = new AbortController();
  /** How often a claimable session was left to other nodes. */
  const passedOver = new Map<SessionId, number>();
  let isClosed = false;
  let endWithin = defaultEndMs;
  const lookFirst = createLookFirst({ journal, leases, open: acquireQuietly });
  const startParts = {
    store,
    interpreter: parts.interpreter,
    step: parts.step,
    now: () => clock.now(),
    bootTime: () => ({ boot: leases.self.bootId, uptime: Math.ceil(clock.uptime()) }),
    pause: (ms: number) => new Promise<void>((resolve) => void clock.at(clock.now() + ms, resolve)),
    onEvent(session: SessionId, recorded: Recorded, state: State) {
      sleep.used(session);
      // Observers must not break a session.
      try {
        parts.onEvent?.(session, recorded, state);
      } catch (error) {
        onProblem(`an observer of session ${session} failed`, { session, error: String(error) });
      }
      // Its new agent needs another machine.
      if (recorded.event.type === 'agent-changed' && unmet(needsOf(state), parts.offers).length > 0)
        void unattended('handing over', session, () => handOver({ session }));
    },
    onSuspended(session: SessionId, fault: Fault) {
      const live = held.lives.get(session);
      // Released so that another process can adopt it: none can while this one owns it.
      if (live !== undefined) void unattended('giving up', session, () => held.letGo(live));
      onProblem(`session ${session} is suspended`, { session, code: fault.code, error: fault.message });
    },
  };
  const held = createHeldSessions({
    ...parts,
    load: async (session) => (await lookFirst.takeRead(session)) ?? (await loadSession(journal, session)),
    start: (opened) => startSession(startParts, opened),
    used: (session) => sleep.used(session),
    wakes: (session) => sleep.forget(session),
    leaves(session) {
      sleep.forget(session);
      lookFirst.forget(session);
    },
    serve: (live) => letters.serve(live).catch(() => serveLetters(live)),
  });
  const sleep = createHibernation({
    lives: held.lives,
    clock,
    afterMs: parts.hibernateAfterMs,
    keepsProcesses: (session) => parts.interpreter.keepsProcesses?.(session) ?? false,
    letGo: held.letGo,
    wake: (session) => void acquireQuietly(session),
  });

  /** Retries letters that can't be taken now. */
  function serveLetters(live: LiveSession): void {
    const isAlive = () => held.lives.get(live.id) === live && !isClosed;
    letters.serve(live).catch((error: unknown) => {
      if (!isAlive()) return;
      onProblem(`taking letters for session ${live.id} failed`, { session: live.id, error: String(error) });
      clock.at(clock.now() + letterRetryMs, () => isAlive() && serveLetters(live));
    });
  }

  /** Runs background work: a failure is logged and goes no further. */
  async function unattended<Value>(
    doing: string,
    session: SessionId,
    work: () => Promise<Value> | undefined,
  ): Promise<Value | undefined> {
    try {
      return await work();
    } catch (error) {
      onProblem(`${doing} session ${session} failed`, { session, error: String(error) });
      return undefined;
    }
  }

  /** Backs off from a session that failed to open, longer each time. */
  async function acquireQuietly(session: SessionId): Promise<LiveSession | undefined> {
    if (backoff.isWaiting(session)) return undefined;
    return unattended('opening', session, async () => {
      backoff.failed(session);
      const outcome = await held.acquire(session);
      backoff.succeeded(session);
      return outcome !== undefined && 'submit' in outcome ? outcome : undefined;
    });
  }

  /** Hands over at a boundary, or at the deadline after ending what still runs. */
  async function handOver({ session, withinMs }: HandOverRequest): Promise<void> {
    const live = await held.opened(session);
    if (live === undefined) return;
    await (withinMs === undefined ? live.boundary() : waitWithin(live.boundary(), withinMs, clock));
    if (held.lives.get(session) === live) await held.letGo(live);
  }

  const stopListening = [
    store.inbox.onArrival((session) => {
      const live = held.lives.get(session);
      if (live !== undefined) serveLetters(live);
      else void acquireQuietly(session);
    }),
    publishProgress(store.bus, (session) => held.lives.get(session), clock),
    leases.onHandOverRequested((request) => {
      void unattended('handing over', request.session, () => handOver(request));
    }),
    leases.onStanding((standing) => {
      for (const live of held.lives.values()) {
        if (standing === 'sure') live.resume();
        else if (standing === 'lapsed') void unattended('stopping', live.id, () => live.halt());
      }
    }),
    leases.onLost((sessions) => {
      for (const session of sessions) void unattended('giving up', session, () => held.lost(session));
    }),
  ];

  function close(): void {
    isClosed = true;
    held.close();
    sleep.stop();
    lookFirst.stop();
  }

  return {
    create(id, setup, by, creation) {
      const body = { type: 'session-requested', ...setup } as const;
      return held.create({
        state: newState(id),
        snapshotSeq: 0,
        snapshotSize: 0,
        setup: { body, by, creation },
      });
    },
    acquire: held.acquire,
    look: async (session) => (held.has(session) || !held.hasRoom() ? undefined : await lookFirst.look(session)),
    live: (session) => held.lives.get(session),
    async adopt(rank = () => 0) {
      const { offers } = parts;
      const claimable = await leases.claimable({ at: clock.now(), limit: mostAdopted, ...optional({ offers }) });
      const candidates = claimable.filter((one) => (passedOver.get(one.session) ?? 0) >= rank(one));
      const passed = claimable.map(({ session }) => [session, (passedOver.get(session) ?? 0) + 1] as const);
      passedOver.clear();
      for (const [session, times] of passed) passedOver.set(session, times);
      const adopted = await Promise.all(candidates.map(({ session }) => acquireQuietly(session)));
      return adopted.flatMap((live) => (live === undefined ? [] : [live.id]));
    },
    release: held.release,
    pause: held.pause,
    get count() {
      return held.lives.size;
    },
    closing: closing.signal,
    async drain(options) {
      endWithin = options.endWithin ?? defaultEndMs;
      close();
      const lives = [...held.lives.values()];
      const handOverIdle = (live: LiveSession) =>
        held.lives.get(live.id) === live && !hasEffectsInFlight(live.state)
          ? unattended('handing over', live.id, () => held.letGo(live))
          : undefined;
      await Promise.all([
        drainSessions(lives, {
          ...options,
          clock,
          ...(options.handOver === true && { ended: handOverIdle }),
        }),
        ...(options.handOver === true ? lives.map(handOverIdle) : []),
      ]);
    },
    async [Symbol.asyncDispose]() {
      close();
      closing.abort();
      for (const stop of stopListening) stop();
      // An injected clock may have stopped. While it moves, only that clock counts. A busy machine may look late, so
      // one check without time passing isn't enough.
      const stands = Promise.withResolvers<void>();
      let seen = clock.ticks();
      let looksWithoutTime = 0;
      const look = setInterval(() => {
        looksWithoutTime = clock.ticks() - seen < 1 ? looksWithoutTime + 1 : 0;
        if (looksWithoutTime === enoughLooks) stands.resolve();
        seen = clock.ticks();
      }, endWithin / enoughLooks);
      // A session with effects that can't be ended isn't released: the next owner cleans up first.
      await waitWithin(Promise.race([held.letGoOfAll(), stands.promise]), endWithin, clock);
      clearInterval(look);
    },
  };
}

const defaultEndMs = 5000;

const enoughLooks = 10;

const letterRetryMs = 1000;

/** Per scan. The next scan finds the rest. */
const mostAdopted = 10_000;
