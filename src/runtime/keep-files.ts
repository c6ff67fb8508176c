/**
 * Checkpoints a folder's files before the first change of a turn, so that a person can restore them. A failed
 * checkpoint blocks nothing: the change happens anyway, and the failure is logged.
 */
import type { FileCheckpoint } from '../kernel/checkpoint.ts';
import { seqOfEffect, type SessionId } from '../kernel/ids.ts';
import { turnOf } from '../kernel/state.ts';
import type { Checkpoints } from './capabilities.ts';
import type { Logger } from '../ports/logger.ts';
import type { Effort } from './start-effect.ts';

export interface FileKeeper {
  /** Resolves once the files are saved. `paths` are the known files that will change. */
  beforeChange(effort: Effort, paths: readonly string[]): Promise<void>;
  /** Saves all files before a call that discards some. A string explains why the call must not run. */
  beforeDiscard(effort: Effort, deleted: readonly string[]): Promise<string | undefined>;
  forget(session: SessionId): void;
}

export function createFileKeeper(checkpoints: Checkpoints | undefined, logger: Logger): FileKeeper {
  const kept = new Map<
    SessionId,
    { readonly turn: number; readonly taking: Promise<FileCheckpoint | undefined> }
  >();

  function take({ host }: Effort, from: Checkpoints, turn: number): Promise<FileCheckpoint | undefined> {
    const entry = kept.get(host.session);
    if (entry?.turn === turn) return entry.taking;
    const taking = from.take(host.state, turn).then((taken) => {
      if (taken === undefined) return undefined;
      if (typeof taken !== 'string') {
        host.deliver({ type: 'checkpoint-taken', checkpoint: taken });
        return taken;
      }
      logger.log('warn', 'the files could not be kept before a change', { session: host.session, turn });
      return undefined;
    });
    kept.set(host.session, { turn, taking });
    return taking;
  }

  return {
    async beforeChange(effort, paths) {
      const turn = turnOf(effort.host.state)?.id;
      if (checkpoints === undefined || turn === undefined) return;
      const checkpoint = await take(effort, checkpoints, turn);
      if (checkpoint !== undefined && paths.length > 0) {
        await checkpoints.touch(effort.host.state, checkpoint, paths);
      }
    },
    async beforeDiscard({ host, effect }, deleted) {
      const taken = await checkpoints?.takeAll?.(host.state, `discard-${seqOfEffect(effect)}`, deleted);
      if (taken === undefined) return 'No checkpoints are taken here.';
      if (typeof taken === 'string') return taken;
      host.deliver({ type: 'checkpoint-taken', checkpoint: taken });
      return undefined;
    },
    forget(session) {
      kept.delete(session);
    },
  };
}
