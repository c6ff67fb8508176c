/**
 * Notices what other processes did, for stores on servers. The store is the source of truth: a message on the local bus
 * or a notification of the server only says "look". Without them it polls while there is something to wait for.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { Commit } from '../ports/journal.ts';
import { createListeners, type Listeners } from './listeners.ts';
import type { LocalBus } from './local-bus.ts';
import { createServerCommitTrail } from './server-commit-trail.ts';
import type { News, Notifications } from './server-news.ts';
import { createNewsListeners, type WakeUps } from './wake-ups.ts';

export interface ServerWakeUps extends WakeUps {
  /** The job queue's number changed. */
  onQueue(listener: () => void): () => void;
  /** This process committed events. */
  committed(commit: Commit): void;
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
/** Between two polls for commits. A busy process commits a hundred times a second. */
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
  const listeners = createNewsListeners();
  const { commits } = listeners;
  const queues = createListeners<void>();
  const trail = createServerCommitTrail(start);
  let queue: number | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookedForCommits = -Infinity;
  let commitTimer: NodeJS.Timeout | undefined;
  let isWanted = false;
  bus.subscribe(topic, (message) => (message === committedMessage ? lookForCommits() : look()));
  notifications.onNotified(look);

  const isWaiting = () => listeners.isWaiting() || queues.size > 0;

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

  /** One poll serves many wake-ups. A wake-up during a poll needs another. */
  function look(): void {
    if (isClosed) return;
    if (looking !== undefined) {
      isWanted = true;
      return;
    }
    isWanted = false;
    looking = lookOnce()
      // The next poll finds what this one couldn't read.
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
    const since = commits.size === 0 ? null : trail.since();
    const news = await within(lookMs, read({ ...listeners.awaited(), since }));
    if (news === undefined || isClosed) return;
    for (const notify of notificationsOf(news, since !== null)) notify();
    // Another server may have given numbers again that were read before.
    if (since !== null && trail.since() < since) isWanted = true;
  }

  function notificationsOf(news: News, hasCommits: boolean): readonly (() => void)[] {
    const queueBefore = queue;
    queue = news.queue;
    // The next poll reads for listeners that were added during this one.
    const newCommits = hasCommits ? trail.read(news) : [];
    if (!hasCommits && commits.size === 0) trail.skip(news);
    return [
      ...listeners.take({ ...news, commits: newCommits }),
      ...(queue === queueBefore ? [] : [() => queues.tell()]),
    ];
  }

  function listening<Value>({ add }: Listeners<Value>) {
    return (listener: (value: Value) => void) => {
      const remove = add(listener);
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
    onArrival: listening(listeners.arrivals),
    onHandOver(listener) {
      // Finds requests from before anyone listened.
      listeners.repeatHandOvers();
      return listening(listeners.handOvers)(listener);
    },
    onReleased: (listener) => listeners.releases.add(listener),
    onDrain(listener) {
      listeners.repeatDrain();
      return listening(listeners.drains)(listener);
    },
    onQueue(listener) {
      // Also reports changes from before the first poll.
      queue = undefined;
      return listening(queues)(listener);
    },
    awaitRelease(session) {
      listeners.awaitRelease(session);
      void bus.start();
      arrange();
    },
    async awaitAnswer(id, timeoutMs) {
      if (isClosed) return undefined;
      void bus.start();
      const startLooking = () => {
        arrange();
        look();
      };
      return await listeners.awaitAnswer(id, timeoutMs, { look: startLooking, read: lastLook });
    },
    setOwning(owning) {
      listeners.setOwning(owning);
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
      listeners.close();
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
