import type { Journal } from '../../ports/journal.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { readSpan } from './read-span.ts';

/** The event that ended a session's n-th turn, counted from 1. 0 is before the first turn. */
export async function eventOfTurn(journal: Journal, session: SessionId, turn: number): Promise<number> {
  const ends = (await readSpan(journal, session, { from: 1 })).flatMap(({ event, seq }) =>
    event.type === 'turn-ended' ? [seq] : [],
  );
  const end = turn === 0 ? 1 : ends[turn - 1];
  if (end !== undefined) return end;
  throw new Fault(
    'not-found',
    `Can't find turn ${turn} of session ${session}. Use 0 to ${ends.length}, the turns that have ended, or an event.`,
  );
}
