import type { PushSettled } from '../../kernel/place.ts';
import type { Session } from '../../session/handle/session.ts';
import { findNewest } from '../../session/read/read-back.ts';
import { gitBranch } from '../chat/git-branch.ts';
import type { Workspace } from '../workspace.ts';

/** Waits until the result of a session on a repository is pushed. Undefined if there is nothing to push. */
export async function resultBranch(
  { rondo, store: { journal } }: Pick<Workspace, 'rondo' | 'store'>,
  { id }: Session,
): Promise<PushSettled | undefined> {
  await rondo.filesSettled(id);
  const head = await journal.head(id);
  if (head === undefined) return undefined;
  const newest = await findNewest(journal, id, head.seq + 1, ({ event }) =>
    ['push-settled', 'turn-started'].includes(event.type),
  );
  if (newest?.event.type !== 'push-settled') return undefined;
  const { type: _, ...settled } = newest.event;
  return settled;
}

/** Where the result of a session on a repository is that isn't pushed. Empty otherwise. */
export async function unpushedLine(session: Session): Promise<string> {
  const { repository, cwd } = await session.status();
  if (repository === undefined || repository.push) return '';
  const branch = (await gitBranch(cwd)) ?? repository.branch;
  return `Not pushed. The result is in ${cwd}, on branch ${branch}.\n`;
}
