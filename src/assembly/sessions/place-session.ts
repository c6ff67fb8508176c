import { Fault } from '../../kernel/fault.ts';
import { optional } from '../../kernel/optional.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Worktrees } from '../../worktrees/worktrees.ts';

interface WantedFolder {
  readonly cwd: string;
  readonly session: string;
  readonly worktree: boolean | string;
  readonly title?: string | undefined;
  readonly at: number;
}

/**
 * A new session's folder: the given one, or a worktree of its repository. A caller that requests a worktree doesn't
 * want the folder itself changed, so without a repository, creating the session fails.
 */
export async function folderForSession(
  { cwd, session, worktree, title, at }: WantedFolder,
  worktrees: Pick<Worktrees, 'open'> | undefined,
  logger: Logger,
): Promise<string> {
  if (worktree === false) return cwd;
  if (worktrees === undefined)
    throw new Fault('not-found', "Worktrees aren't set up in this Rondo: pass `worktrees` to createRondo.");
  const name = worktree === true ? optional({ title }) : { name: worktree };
  const opened = await worktrees.open({ cwd, session, at, ...name });
  if (opened.type === 'opened') {
    for (const note of opened.notes) logger.log('warn', `worktree ${opened.worktree.name}: ${note}`, { session });
    return opened.cwd;
  }
  if (opened.code === 'no-repository')
    throw new Fault('not-found', `${opened.message} Run \`git init\` there, or leave out the worktree.`);
  throw new Fault(opened.code === 'in-use' ? 'busy' : 'process', opened.message);
}
