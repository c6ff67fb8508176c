/** What a process waits for from others and whom it notifies. Each store decides when to look and how to read. */
import type { SessionId } from '../kernel/ids.ts';
import type { Commit } from '../ports/journal.ts';
import type { HandOverRequest } from '../ports/lease.ts';
import { createListeners } from './listeners.ts';
import type { News } from './server-news.ts';

/** Notices what other processes did. */
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
  /** Something for another process was written. */
  wakeOthers(): void;
  /** Looks soon. */
  look(): void;
  close(): void;
}

/** News of sessions and letters, with the commits that nobody was notified of yet. */
type SessionNews = Pick<News, 'arrivals' | 'handOvers' | 'free' | 'answers' | 'draining'> & {
  readonly commits: readonly Commit[];
};

export type NewsListeners = ReturnType<typeof createNewsListeners>;

interface AnswerReader {
  look(): void;
  read(id: number): Promise<string | undefined>;
}

export function createNewsListeners() {
  const arrivals = createListeners<SessionId>();
  const handOvers = createListeners<HandOverRequest>();
  const releases = createListeners<SessionId>();
  const commits = createListeners<Commit>();
  const drains = createListeners<void>();
  const awaitedReleases = new Set<SessionId>();
  const awaitedAnswers = new Map<number, Set<(answer: string | undefined) => void>>();
  const notified = new Set<number>();
  let isOwning = false;
  let isDraining = false;

  /** Requests that nobody was notified of. Without a listener they stay new. */
  function newRequests(requests: News['handOvers']): News['handOvers'] {
    const fresh = requests.filter(([id]) => !notified.has(id));
    if (handOvers.size > 0) {
      notified.clear();
      for (const [id] of requests) notified.add(id);
    }
    return fresh;
  }

  return {
    arrivals,
    handOvers,
    releases,
    commits,
    drains,
    isOwning: () => isOwning,
    setOwning(owning: boolean): void {
      isOwning = owning;
    },
    isWaiting: () =>
      isOwning || commits.size > 0 || drains.size > 0 || awaitedReleases.size > 0 || awaitedAnswers.size > 0,
    /** Sessions whose release, and letters whose answer, somebody awaits. */
    awaited: () => ({ releases: [...awaitedReleases], letters: [...awaitedAnswers.keys()] }),
    awaitRelease: (session: SessionId) => void awaitedReleases.add(session),
    /** `look` starts after the answer is awaited, and `read` reads it a last time when the time is over. */
    async awaitAnswer(id: number, timeoutMs: number, { look, read }: AnswerReader): Promise<string | undefined> {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const resolves = awaitedAnswers.get(id) ?? new Set();
      awaitedAnswers.set(id, resolves.add(resolve));
      look();
      // The last poll may bring the answer.
      const timeout = setTimeout(() => void read(id).then(resolve, () => resolve(undefined)), timeoutMs);
      const answer = await promise;
      clearTimeout(timeout);
      resolves.delete(resolve);
      if (resolves.size === 0) awaitedAnswers.delete(id);
      return answer;
    },
    /** Open requests count as new for the next listener. */
    repeatHandOvers: () => notified.clear(),
    repeatDrain(): void {
      isDraining = false;
    },
    /** Takes everything in and returns the notifications to make: no cursor moves before its news were read (O14). */
    take(news: SessionNews): readonly (() => void)[] {
      const requests = newRequests(news.handOvers);
      const free = news.free.filter((session) => awaitedReleases.delete(session));
      const wasDraining = isDraining;
      if (drains.size > 0) isDraining = news.draining;
      return [
        ...news.commits.map((commit) => () => commits.tell(commit)),
        // Every unsettled message each time, because an earlier notification may not have been acted on.
        ...(isOwning ? news.arrivals.map((session) => () => arrivals.tell(session)) : []),
        ...requests.map(
          ([, session, withinMs]) =>
            () =>
              handOvers.tell(withinMs === null ? { session } : { session, withinMs }),
        ),
        ...free.map((session) => () => releases.tell(session)),
        ...news.answers.flatMap(([id, answer]) =>
          [...(awaitedAnswers.get(id) ?? [])].map((resolve) => () => resolve(answer)),
        ),
        ...(isDraining && !wasDraining ? [() => drains.tell()] : []),
      ];
    },
    close(): void {
      for (const resolves of awaitedAnswers.values()) for (const resolve of resolves) resolve(undefined);
    },
  };
}
