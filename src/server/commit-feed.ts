/** Changed sessions of any process, gathered for a moment and looked up once for all subscribers. */
import type { SessionId } from '../kernel/ids.ts';
import type { Backend, ServerClock } from './backend.ts';

export interface CommitFeed<News> {
  /** The returned function unsubscribes. Without subscribers nothing is looked up. */
  subscribe(listener: (news: News) => void): () => void;
  close(): void;
}

interface CommitFeedParts<News> {
  readonly backend: Pick<Backend, 'onCommit'>;
  readonly clock: ServerClock;
  readonly onProblem: (error: unknown) => void;
  readonly look: (sessions: readonly SessionId[], tell: (news: News) => void) => Promise<void>;
  readonly onClose?: () => void;
}

const gatherMs = 50;

export function createCommitFeed<News>(parts: CommitFeedParts<News>): CommitFeed<News> {
  const { backend, clock, onProblem, look, onClose } = parts;
  const listeners = new Set<(news: News) => void>();
  let changed = new Set<SessionId>();
  let off: (() => void) | undefined;
  let disarm: (() => void) | undefined;

  function lookNow(): void {
    disarm = undefined;
    const sessions = [...changed];
    changed = new Set();
    look(sessions, (news) => listeners.forEach((listener) => listener(news))).catch(onProblem);
  }
  function close(): void {
    off?.();
    off = undefined;
    disarm?.();
    disarm = undefined;
    onClose?.();
  }
  return {
    subscribe(listener) {
      listeners.add(listener);
      off ??= backend.onCommit(({ session }) => {
        changed.add(session);
        disarm ??= clock.at(clock.now() + gatherMs, lookNow);
      });
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
    close,
  };
}
