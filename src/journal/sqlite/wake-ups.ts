/**
 * Notices what other processes did. The database is the source of truth: a bus message only says "look". Without
 * the bus it polls while there is something to wait for.
 */
import type { SessionId } from '../../kernel/ids.ts';
import type { Commit } from '../../ports/journal.ts';
import { createCommitTrail } from './commit-trail.ts';
import type { Driver } from './driver.ts';
import type { LocalBus } from '../local-bus.ts';
import { createNewsListeners, type NewsListeners, type WakeUps } from '../wake-ups.ts';
import { isMarkedDraining } from './write-nodes.ts';

export interface SqliteWakeUps extends WakeUps {
  /** This process committed records at these positions. */
  committed(commits: readonly Commit[], positions: readonly [number, number]): void;
}

const wakeTopic = 'rondo/wake';
const commitTopic = 'rondo/commit';
const pollAloneMs = 250;
const pollConnectedMs = 2000;

export function createWakeUps(
  db: Driver,
  bus: LocalBus,
  options: { readonly owner: () => string },
): SqliteWakeUps {
  const listeners = createNewsListeners();
  const { commits } = listeners;
  const trail = createCommitTrail(db);
  let dataVersion: number | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let stopCommitTopic: (() => void) | undefined;
  bus.subscribe(wakeTopic, lookSoon);

  /** Called when something to wait for starts or ends. */
  function arrange(): void {
    if (isClosed || !listeners.isWaiting()) return;
    timer ??= setTimeout(poll, bus.peers() > 0 ? pollConnectedMs : pollAloneMs).unref();
    bus.startSoon();
  }

  function poll(): void {
    timer = undefined;
    look();
    arrange();
  }

  /** One poll serves many wake-ups. */
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
    for (const notify of notifications()) notify();
  }

  /** A look that fails changes nothing, so the next one finds the same news (O14). */
  function notifications(): readonly (() => void)[] {
    try {
      const version = db.number('PRAGMA data_version');
      if (version === dataVersion) return [];
      const commitsOfOthers = commits.size === 0 ? undefined : trail.others();
      const news = readNews(db, options.owner, listeners);
      commitsOfOthers?.confirm();
      dataVersion = version;
      return listeners.take({ ...news, commits: commitsOfOthers?.commits ?? [] });
    } catch {
      return [];
    }
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
      return listeners.arrivals.add(listener);
    },
    onHandOver(listener) {
      // Finds requests from before anyone listened.
      dataVersion = undefined;
      listeners.repeatHandOvers();
      lookSoon();
      return listeners.handOvers.add(listener);
    },
    onReleased: (listener) => listeners.releases.add(listener),
    onDrain(listener) {
      const remove = listeners.drains.add(listener);
      listeners.repeatDrain();
      dataVersion = undefined;
      lookSoon();
      arrange();
      return remove;
    },
    awaitRelease(session) {
      listeners.awaitRelease(session);
      void bus.start();
      arrange();
    },
    async awaitAnswer(id, timeoutMs) {
      const early = readAnswer(db, id);
      if (early !== undefined || isClosed) return early;
      void bus.start();
      const read = async () => await Promise.resolve(readAnswer(db, id));
      return await listeners.awaitAnswer(id, timeoutMs, { look: arrange, read });
    },
    setOwning(owning) {
      listeners.setOwning(owning);
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
      listeners.close();
    },
  };
}

/** Reads only what somebody listens for. */
function readNews(db: Driver, owner: () => string, listeners: NewsListeners) {
  const { releases, letters } = listeners.awaited();
  const { arrivals, handOvers, drains } = listeners;
  const isOwning = listeners.isOwning();
  const arrived = isOwning && arrivals.size > 0 ? db.all<{ session: SessionId }>(selectArrivals, owner()) : [];
  const requests = isOwning && handOvers.size > 0 ? db.all<HandOverRow>(selectHandOvers, owner()) : [];
  return {
    arrivals: arrived.map(({ session }) => session),
    handOvers: requests.map(({ id, session, within_ms: withinMs }) => [id, session, withinMs] as const),
    free: releases.filter((session) => db.get(selectOwned, session) === undefined),
    answers: letters.flatMap((id) => {
      const answer = readAnswer(db, id);
      return answer === undefined ? [] : [[id, answer] as const];
    }),
    draining: drains.size > 0 && isMarkedDraining(db, owner()),
  };
}

function readAnswer(db: Driver, id: number): string | undefined {
  return db.get<{ answer: string | null }>('SELECT answer FROM inbox WHERE id = ?', id)?.answer ?? undefined;
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
