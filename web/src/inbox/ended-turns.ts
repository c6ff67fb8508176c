/** The turns that ended since the last check of the directory. */
import type { DirectoryEntry } from '../../../src/views/directory.ts';
import type { Directory } from '../home/directory.ts';

interface EndedTurn {
  readonly entry: DirectoryEntry;
  readonly ms: number;
}

/** Only for sessions that people started. Workers report to the session that gave them the work. */
export function endedTurns(before: Directory, now: Directory): readonly EndedTurn[] {
  return [...now.values()].flatMap((entry) => {
    const was = before.get(entry.session);
    const isOver = entry.state === 'idle' && was !== undefined && atWork.has(was.state);
    if (!isOver || entry.parent !== undefined) return [];
    return [{ entry, ms: entry.updatedAt - (was.workingSince ?? was.updatedAt) }];
  });
}

const atWork: ReadonlySet<DirectoryEntry['state']> = new Set(['running', 'waiting', 'cancelling']);
