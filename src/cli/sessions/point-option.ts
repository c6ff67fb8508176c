import type { Journal } from '../../ports/journal.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { eventOfTurn } from '../../session/read/event-of-turn.ts';
import { numberFrom } from '../number-option.ts';
import type { OptionTable } from '../option-table.ts';
import { usageError } from '../usage-error.ts';

/** A point in a session's history, by event or by turn. */
export const pointOptions = {
  at: { type: 'string', value: 'EVENT', help: 'last event to keep (see `rondo show SESSION --events`)' },
  turn: { type: 'string', value: 'N', help: 'last turn to keep, from 1; 0 keeps none' },
} as const satisfies OptionTable;

export async function pointFrom(
  values: { readonly at?: string | undefined; readonly turn?: string | undefined },
  journal: Journal,
  session: SessionId,
): Promise<number | undefined> {
  const at = numberFrom('at', values.at);
  const turn = numberFrom('turn', values.turn);
  if (at !== undefined && turn !== undefined) throw usageError("--at and --turn can't be combined");
  return turn === undefined ? at : eventOfTurn(journal, session, turn);
}
