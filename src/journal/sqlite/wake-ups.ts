/**
 * Notices what other processes did. The database is the source of truth: a bus message only says "look". Without
 * the bus it polls while there is something to wait for.
 */
import type { SessionId } from '../../kernel/ids.ts';
import type { Commit } from '../../ports/journal.ts';
import type { HandOverRequest } from '../../ports/lease.ts';
import { createListeners } from '../listeners.ts';
import { createCommitTrail } from './commit-trail.ts';
import type { Driver } from './driver.ts';
import type { LocalBus } from '../local-bus.ts';
import { isMarkedDraining } from './write-nodes.ts';

export interface WakeUps {
  onCommit(listener: (commit: Commit) => void): () => void;
  onArrival(listener: (session: SessionId) => void): () => void;
  onHandOver(listener: (request: HandOverRequest) => void): () => void;
  onReleased(listener: (session: SessionId) => void): () => void;
  onDrain(listener: () => void): () => void;
  /** Notifies the next time the session has no owner. */
  awaitRelease(session: SessionId): void;
  awaitAnswer(id: number, timeoutMs: number): Promise<string | undefined>;
  /** Whether this process owns sessions, for which others may send something. */
  setOwning(isOwning: boolean): void;
  /** This process committed records at these positions. */
  committed(commits: readonly Commit[], positions: readonly [number, number]): void;
  /** Something for another process was written. */
  wakeOthers(): void;
  /** Looks now. */
  look(): void;
  close(): void;
}

const wakeTopic = 'rondo/wake';
const commitTopic = 'rondo/commit';
const pollAloneMs = 250;
const pollConnectedMs = 2000;

export function createWakeUps(db: Driver, bus: LocalBus, options: { readonly owner: () => string }): WakeUps {
  const arrivals = createListeners<SessionId>();
  const handOvers = createListeners<HandOverRequest>();
  const releases = createListeners<SessionId>();
  const commits = createListeners<Commit>();
  const drains = createListeners<void>();
  const trail = createCommitTrail(db);
  const awaitedReleases = new Set<SessionId>();
  const awaitedAnswers = new Map<number, Set<(answer: string | undefined) => void>>();
  const notified = new Set<number>();
  let dataVersion: number | undefined;
  let isOwning = false;
  let isDraining = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let stopCommitTopic: (() => void) | undefined;
  bus.subscribe(wakeTopic, lookSoon);

  const isWaiting = () =>
    isOwning || commits.size > 0 || drains.size > 0 || awaitedReleases.size > 0 || awaitedAnswers.size > 0;

  /** Called when something to wait for starts or ends. */
  function arrange(): void {
    if (isClosed || !isWaiting()) return;
    timer ??= setTimeout(poll, bus.peers() > 0 ? pollConnectedMs : pollAloneMs).unref();
    bus.startSoon();
  }

  function poll(): void {
    timer = undefined;
    look();
    arrange();
  }

  /** Many wake-ups need only one look. */
  function lookSoon(): void {
    if (isLooking || isClosed) return;
    isLooking = true;
    setImmediate(() => {
      isLooking = false;
      look();
    });
  }

  function look(): void {
    if (isClosed) return;
    for (const tell of findNews()) tell();
  }

  /**
   * Reads everything first and notifies afterwards. What can't be read now is found later: no cursor moves before
   * everything was read (O14).
   */
  function findNews(): readonly (() => void)[] {
    try {
      const version = db.number('PRAGMA data_version');
      if (version === dataVersion) return [];
      const commitsOfOthers = commits.size === 0 ? undefined : trail.others();
      const news = [...newArrivals(), ...newHandOvers(), ...newReleases(), ...newAnswers(), ...newDrain()];
      commitsOfOthers?.confirm();
      dataVersion = version;
      return [...(commitsOfOthers?.commits.map((commit) => () => commits.tell(commit)) ?? []), ...news];
    } catch {
      return [];
    }
  }

  /** Every unsettled message each time, because an earlier notification may not have been acted on. */
  function newArrivals(): readonly (() => void)[] {
    if (arrivals.size === 0 || !isOwning) return [];
    const rows = db.all<{ session: SessionId }>(selectArrivals, options.owner());
    return rows.map(
      ({ session }) =>
        () =>
          arrivals.tell(session),
    );
  }

  function newHandOvers(): readonly (() => void)[] {
    if (handOvers.size === 0 || !isOwning) return [];
    const rows = db.all<HandOverRow>(selectHandOvers, options.owner());
    const fresh = rows.filter(({ id }) => !notified.has(id));
    notified.clear();
    for (const { id } of rows) notified.add(id);
    return fresh.map(
      ({ session, within_ms: withinMs }) =>
        () =>
          handOvers.tell(withinMs === null ? { session } : { session, withinMs }),
    );
  }

  function newReleases(): readonly (() => void)[] {
    const free = [...awaitedReleases].filter((session) => db.get(selectOwned, session) === undefined);
    for (const session of free) awaitedReleases.delete(session);
    return free.map((session) => () => releases.tell(session));
  }

  function newAnswers(): readonly (() => void)[] {
    return [...awaitedAnswers].flatMap(([id, resolves]) => {
      const answer = readAnswer(id);
      if (answer === undefined) return [];
      return [...resolves].map((resolve) => () => resolve(answer));
    });
  }

  function newDrain(): readonly (() => void)[] {
    if (drains.size === 0) return [];
    const wasDraining = isDraining;
    isDraining = isMarkedDraining(db, options.owner());
    return isDraining && !wasDraining ? [() => drains.tell()] : [];
  }

  function readAnswer(id: number): string | undefined {
    return db.get<{ answer: string | null }>('SELECT answer FROM inbox WHERE id = ?', id)?.answer ?? undefined;
  }

  return {
    onCommit(listener) {
      if (commits.size === 0) trail.begin();
      stopCommitTopic ??= bus.subscribe(commitTopic, lookSoon);
      const remove = commits.add(listener);
      arrange();
      return () => {
        remove();
        if (commits.size > 0) return;
        stopCommitTopic?.();
        stopCommitTopic = undefined;
      };
    },
    onArrival(listener) {
      dataVersion = undefined;
      return arrivals.add(listener);
    },
    onHandOver(listener) {
      // Finds requests from before anyone listened.
      dataVersion = undefined;
      notified.clear();
      lookSoon();
      return handOvers.add(listener);
    },
    onReleased: (listener) => releases.add(listener),
    onDrain(listener) {
      const remove = drains.add(listener);
      isDraining = false;
      dataVersion = undefined;
      lookSoon();
      arrange();
      return remove;
    },
    awaitRelease(session) {
      awaitedReleases.add(session);
      void bus.start();
      arrange();
    },
    async awaitAnswer(id, timeoutMs) {
      const early = readAnswer(id);
      if (early !== undefined || isClosed) return early;
      void bus.start();
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const resolves = awaitedAnswers.get(id) ?? new Set();
      awaitedAnswers.set(id, resolves.add(resolve));
      arrange();
      const timeout = setTimeout(() => resolve(readAnswer(id)), timeoutMs);
      const answer = await promise;
      clearTimeout(timeout);
      resolves.delete(resolve);
      if (resolves.size === 0) awaitedAnswers.delete(id);
      return answer;
    },
    setOwning(owning) {
      isOwning = owning;
      // Opening the session takes the messages that arrived before.
      dataVersion = undefined;
      arrange();
    },
    committed(own, positions) {
      bus.publish(commitTopic, '');
      if (commits.size === 0 || !trail.own(positions)) return;
      for (const commit of own) commits.tell(commit);
    },
    wakeOthers() {
      void bus.start().then(() => bus.publish(wakeTopic, ''));
    },
    look() {
      dataVersion = undefined;
      look();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const resolves of awaitedAnswers.values()) for (const resolve of resolves) resolve(undefined);
    },
  };
}

const selectArrivals = `
  SELECT inbox.session FROM inbox
  JOIN sessions ON sessions.id = inbox.session JOIN processes ON processes.number = sessions.owner
  WHERE inbox.answer IS NULL AND processes.id = ? GROUP BY inbox.session ORDER BY min(inbox.id)`;
const selectHandOvers = `
  SELECT handovers.id, handovers.within_ms, sessions.id AS session FROM handovers
  JOIN sessions ON sessions.number = handovers.session JOIN processes ON processes.number = sessions.owner
  WHERE processes.id = ? ORDER BY handovers.id`;
const selectOwned = 'SELECT 1 FROM sessions WHERE id = ? AND owner IS NOT NULL';

interface HandOverRow {
  readonly id: number;
  readonly session: SessionId;
  readonly within_ms: number | null;
}
