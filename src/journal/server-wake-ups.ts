/**
 * Notices what other processes did, for stores on servers. The store is the source of truth: a message on the local bus
 * or a notification of the server only says "look". Without them it polls while there is something to wait for.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { Commit } from '../ports/journal.ts';
import type { HandOverRequest } from '../ports/lease.ts';
import { createListeners } from './listeners.ts';
import type { LocalBus } from './local-bus.ts';
import { createServerCommitTrail } from './server-commit-trail.ts';
import type { News, Notifications } from './server-news.ts';

export interface ServerWakeUps {
  onCommit(listener: (commit: Commit) => void): () => void;
  onArrival(listener: (session: SessionId) => void): () => void;
  onHandOver(listener: (request: HandOverRequest) => void): () => void;
  onReleased(listener: (session: SessionId) => void): () => void;
  onDrain(listener: () => void): () => void;
  /** The job queue's number changed. */
  onQueue(listener: () => void): () => void;
  /** Notifies the next time the session has no owner. */
  awaitRelease(session: SessionId): void;
  awaitAnswer(id: number, timeoutMs: number): Promise<string | undefined>;
  /** Whether this process owns sessions, for which others may send something. */
  setOwning(isOwning: boolean): void;
  /** This process committed events. */
  committed(commit: Commit): void;
  /** Something for another process was written. */
  wakeOthers(): void;
  /** Looks soon. */
  look(): void;
  close(): void;
}

export interface WakeParts {
  /** `since`: commits from this number on; null for none. */
  read(asked: { releases: readonly SessionId[]; letters: readonly number[]; since: number | null }): Promise<News>;
  readonly bus: Pick<LocalBus, 'subscribe' | 'publish' | 'start' | 'startSoon'>;
  readonly notifications: Notifications;
  /** Where to start looking for commits: before this number all had ended when the store was opened. */
  readonly start: number;
  /** A look that takes longer is given up, and the next one reads the same again. */
  readonly lookMs?: number;
}

const topic = 'rondo/wake';
/** The message after a commit; any other one concerns every process. */
const committedMessage = 'commit';
/** Between two looks for commits. A busy process commits a hundred times a second. */
const commitPauseMs = 50;
const pollMs = 1000;
/** While the server's notifications arrive. */
const pollNotifiedMs = 5000;

export function createServerWakeUps({
  read,
  bus,
  notifications,
  start,
  lookMs = 15_000,
}: WakeParts): ServerWakeUps {
  const arrivals = createListeners<SessionId>();
  const handOvers = createListeners<HandOverRequest>();
  const releases = createListeners<SessionId>();
  const commits = createListeners<Commit>();
  const drains = createListeners<void>();
  const queues = createListeners<void>();
  const trail = createServerCommitTrail(start);
  const awaitedReleases = new Set<SessionId>();
  const awaitedAnswers = new Map<number, Set<(answer: string | undefined) => void>>();
  const notified = new Set<number>();
  let queue: number | undefined;
  let isOwning = false;
  let isDraining = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookedForCommits = -Infinity;
  let commitTimer: NodeJS.Timeout | undefined;
  let isWanted = false;
  bus.subscribe(topic, (message) => (message === committedMessage ? lookForCommits() : look()));
  notifications.onNotified(look);

  const isWaiting = () =>
    isOwning ||
    [commits, drains, queues].some(({ size }) => size > 0) ||
    awaitedReleases.size > 0 ||
    awaitedAnswers.size > 0;

  /** Called when something to wait for starts or ends. */
  function arrange(): void {
    if (isClosed || !isWaiting()) return;
    bus.startSoon();
    notifications.startSoon();
    timer ??= setTimeout(poll, notifications.arrive() ? pollNotifiedMs : pollMs).unref();
  }

  function poll(): void {
    timer = undefined;
    look();
    arrange();
  }

  /** Many wake-ups need one look; one that comes during a look needs another. */
  function look(): void {
    if (isClosed) return;
    if (looking !== undefined) {
      isWanted = true;
      return;
    }
    isWanted = false;
    looking = lookOnce()
      // What can't be read now is found later.
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
        if (isWanted) look();
      });
  }

  /** Only listeners need another process's commits. */
  function lookForCommits(): void {
    if (isClosed || commits.size === 0 || commitTimer !== undefined) return;
    const waitMs = lookedForCommits + commitPauseMs - performance.now();
    const lookNow = () => {
      commitTimer = undefined;
      lookedForCommits = performance.now();
      look();
    };
    if (waitMs > 0) commitTimer = setTimeout(lookNow, waitMs).unref();
    else lookNow();
  }

  async function lookOnce(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (!isWaiting()) return;
    const asked = { releases: [...awaitedReleases], letters: [...awaitedAnswers.keys()] };
    const since = commits.size === 0 ? null : trail.since();
    const news = await within(lookMs, read({ ...asked, since }));
    if (news === undefined || isClosed) return;
    for (const tell of newsIn(news, since !== null)) tell();
    // Another server may have given numbers again that were read before.
    if (since !== null && trail.since() < since) isWanted = true;
  }

  /** Everything is taken in before anyone is notified: no cursor moves before its news were read (O14). */
  function newsIn(news: News, hasCommits: boolean): readonly (() => void)[] {
    const fresh = news.handOvers.filter(([id]) => !notified.has(id));
    if (handOvers.size > 0) {
      notified.clear();
      for (const [id] of news.handOvers) notified.add(id);
    }
    const free = news.free.filter((session) => awaitedReleases.delete(session));
    const wasDraining = isDraining;
    if (drains.size > 0) isDraining = news.draining;
    const queueBefore = queue;
    queue = news.queue;
    // Somebody may have begun to listen during the look: the next one tells.
    const newCommits = hasCommits ? trail.read(news) : [];
    if (!hasCommits && commits.size === 0) trail.skip(news);
    return [
      ...newCommits.map((commit) => () => commits.tell(commit)),
      // Every unsettled message each time, because an earlier notification may not have been acted on.
      ...(isOwning ? news.arrivals.map((session) => () => arrivals.tell(session)) : []),
      ...fresh.map(
        ([, session, withinMs]) =>
          () =>
            handOvers.tell(withinMs === null ? { session } : { session, withinMs }),
      ),
      ...free.map((session) => () => releases.tell(session)),
      ...news.answers.flatMap(([id, answer]) =>
        [...(awaitedAnswers.get(id) ?? [])].map((resolve) => () => resolve(answer)),
      ),
      ...(isDraining && !wasDraining ? [() => drains.tell()] : []),
      ...(queue === queueBefore ? [] : [() => queues.tell()]),
    ];
  }

  function listening<Value>(listeners: { add: (listener: (value: Value) => void) => () => void }) {
    return (listener: (value: Value) => void) => {
      const remove = listeners.add(listener);
      arrange();
      look();
      return remove;
    };
  }

  const wakeOthers = () => {
    void bus.start().then(() => bus.publish(topic, ''));
    notifications.notify();
  };

  return {
    onCommit: listening(commits),
    onArrival: listening(arrivals),
    onHandOver(listener) {
      // Finds requests from before anyone listened.
      notified.clear();
      return listening(handOvers)(listener);
    },
    onReleased: (listener) => releases.add(listener),
    onDrain(listener) {
      isDraining = false;
      return listening(drains)(listener);
    },
    onQueue(listener) {
      // What changed before the first look shows as well.
      queue = undefined;
      return listening(queues)(listener);
    },
    awaitRelease(session) {
      awaitedReleases.add(session);
      void bus.start();
      arrange();
    },
    async awaitAnswer(id, timeoutMs) {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      if (isClosed) return undefined;
      void bus.start();
      const resolves = awaitedAnswers.get(id) ?? new Set();
      awaitedAnswers.set(id, resolves.add(resolve));
      arrange();
      look();
      // The answer may come with the last look.
      const timeout = setTimeout(() => void lastLook(id).then(resolve, () => resolve(undefined)), timeoutMs);
      const answer = await promise;
      clearTimeout(timeout);
      resolves.delete(resolve);
      if (resolves.size === 0) awaitedAnswers.delete(id);
      return answer;
    },
    setOwning(owning) {
      isOwning = owning;
      arrange();
    },
    committed(commit) {
      bus.publish(topic, committedMessage);
      notifications.notify();
      if (trail.own(commit)) commits.tell(commit);
    },
    wakeOthers,
    look,
    close() {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(commitTimer);
      for (const resolves of awaitedAnswers.values()) for (const resolve of resolves) resolve(undefined);
    },
  };

  async function lastLook(id: number): Promise<string | undefined> {
    const { answers } = await read({ releases: [], letters: [id], since: null });
    return answers.find(([other]) => other === id)?.[1];
  }
}

async function within(ms: number, news: Promise<News>): Promise<News | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms).unref();
  });
  try {
    return await Promise.race([news, late]);
  } finally {
    clearTimeout(timer);
  }
}
