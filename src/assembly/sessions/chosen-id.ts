import type { Journal } from '../../ports/journal.ts';
import { Fault } from '../../kernel/fault.ts';
import { isSessionId, type SessionId } from '../../kernel/ids.ts';

/** Validates an id that a program chose for a new session: well-formed and unused. */
export async function chosenId(
  wanted: string,
  { isLive, journal }: { readonly isLive: (id: SessionId) => boolean; readonly journal: Journal },
): Promise<SessionId> {
  if (!isSessionId(wanted))
    throw new Fault(
      'unreadable',
      `Can't create a session: invalid id ${JSON.stringify(wanted)}. An id is ses_ and 1 to 60 letters and digits.`,
    );
  const id: SessionId = wanted;
  if (isLive(id) || (await journal.head(id)) !== undefined)
    throw new Fault(
      'conflict',
      `Can't create session ${id}: this id is taken. Choose another, or open the session with \`sessions.open\`.`,
    );
  return id;
}
