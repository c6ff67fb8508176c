/** Directory changes from any process. */
import type { DirectoryEntry } from '../views/directory.ts';
import type { Backend, ServerClock } from './backend.ts';
import { createCommitFeed, type CommitFeed } from './commit-feed.ts';

export type DirectoryFeed = CommitFeed<readonly DirectoryEntry[]>;

export function createDirectoryFeed(
  backend: Backend,
  clock: ServerClock,
  onProblem: (error: unknown) => void,
): DirectoryFeed {
  return createCommitFeed({
    backend,
    clock,
    onProblem,
    async look(sessions, tell) {
      const pages = await Promise.all(
        sessions.map((session) => backend.sessions.list({ prefix: session, limit: 1 })),
      );
      const entries = pages.flatMap((page) => page.entries);
      if (entries.length > 0) tell(entries);
    },
  });
}
