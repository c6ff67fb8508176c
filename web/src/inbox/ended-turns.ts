/** The turns that ended since the last check of the directory. */
import type { DirectoryEntry } from '../../../src/views/directory.ts';
import { durationText } from '../../../src/wording/duration.ts';
import { problemSummary } from '../../../src/wording/problem-summary.ts';
import { titleOf, type Directory } from '../home/directory.ts';

interface EndedTurn {
  readonly entry: DirectoryEntry;
  readonly ms: number;
}

/**
 * Covers only sessions that people started. Workers report to the session that gave them the work. A person
 * who stopped a turn knows that it ended.
 */
export function endedTurns(before: Directory, now: Directory): readonly EndedTurn[] {
  return [...now.values()].flatMap((entry) => {
    const was = before.get(entry.session);
    const isOver = entry.state === 'idle' && was !== undefined && atWork.has(was.state);
    if (!isOver || entry.parent !== undefined || entry.ending === 'cancelled') return [];
    return [{ entry, ms: entry.updatedAt - (was.workingSince ?? was.updatedAt) }];
  });
}

export function endedWords({ entry, ms }: EndedTurn) {
  const isGood = entry.ending !== 'failed' && entry.ending !== 'timed-out';
  const after = `After ${durationText(ms)}`;
  return {
    tone: isGood ? 'good' : 'bad',
    title: `${titleOf(entry)} ${isGood ? 'is done' : 'failed'}`,
    text: entry.problem === undefined || isGood ? after : problemSummary(entry.problem),
  } as const;
}

const atWork: ReadonlySet<DirectoryEntry['state']> = new Set(['running', 'waiting', 'cancelling']);
