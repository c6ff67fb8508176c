import { Fault } from '../kernel/fault.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';

export interface WantedPlace {
  readonly cwd: string;
  readonly session: string;
  readonly worktree: boolean | string;
  readonly at: number;
}

/**
 * The folder a new session works in: the one that was named, or a worktree of its repository. Where there
 * is no repository it is the folder itself, and the log says so.
 */
export async function placeSession(
  { cwd, session, worktree, at }: WantedPlace,
  worktrees: Pick<Worktrees, 'open'> | undefined,
  logger: Logger,
): Promise<string> {
  if (worktree === false) return cwd;
  if (worktrees === undefined)
    throw new Fault(
      'not-found',
      'A worktree was asked for, and this Rondo has none: give createRondo `worktrees`.',
    );
  const name = worktree === true ? {} : { name: worktree };
  const opened = await worktrees.open({ cwd, session, at, ...name });
  if (opened.type === 'opened') {
    for (const note of opened.notes) logger.log('warn', `worktree ${opened.worktree.name}: ${note}`, { session });
    return opened.cwd;
  }
  if (opened.code === 'no-repository') {
    logger.log('warn', `session ${session} works in the folder itself: ${opened.message}`, { session });
    return cwd;
  }
  throw new Fault(opened.code === 'in-use' ? 'busy' : 'process', opened.message);
}
