/** Directory changes from any process. Each changed session is looked up once for all subscribers. */
import type { DirectoryEntry } from '../views/directory.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Backend, ServerClock } from './backend.ts';

export interface DirectoryFeed {
  subscribe(listener: (entries: readonly DirectoryEntry[]) => void): () => void;
  close(): void;
}

const gatherMs = 50;

export function createDirectoryFeed(
  backend: Backend,
  clock: ServerClock,
  onProblem: (error: unknown) => void,
): DirectoryFeed {
  const listeners = new Set<(entries: readonly DirectoryEntry[]) => void>();
  let changed = new Set<SessionId>();
  let off: (() => void) | undefined;
  let disarm: (() => void) | undefined;

  async function tell(): Promise<void> {
    disarm = undefined;
    const sessions = [...changed];
    changed = new Set();
    const pages = await Promise.all(
      sessions.map((session) => backend.sessions.list({ prefix: session, limit: 1 })),
    );
    const entries = pages.flatMap((page) => page.entries);
    if (entries.length > 0) for (const listener of listeners) listener(entries);
  }
  function close(): void {
    off?.();
    off = undefined;
    disarm?.();
    disarm = undefined;
  }
  return {
    subscribe(listener) {
      listeners.add(listener);
      off ??= backend.onCommit(({ session }) => {
        changed.add(session);
        disarm ??= clock.at(clock.now() + gatherMs, () => void tell().catch(onProblem));
      });
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
    close,
  };
}
