import { optional } from '../optional.ts';
import { restoringProblem } from './decide-rewind.ts';
import { emit, type Draft, type Refusal } from './draft.ts';
import { endTurn } from './end-turn.ts';
import type { Cancelled } from '../outcome.ts';

/** Does nothing if no turn runs or it is already being cancelled. */
export function decideCancel(draft: Draft, reason: string | undefined): Refusal | undefined {
  if (draft.state.phase.type === 'turn') endTurn(draft, cancelled(reason));
  return undefined;
}

export function decideClosed(draft: Draft, reason: string | undefined): Refusal | undefined {
  const { phase } = draft.state;
  if (phase.type === 'closed') return undefined;
  if (phase.type === 'restoring') return restoringProblem(draft.state.id);
  if (phase.type === 'cancelling') {
    if (!phase.thenClose) emit(draft, { type: 'turn-interrupted', ending: phase.ending, thenClose: true });
    return undefined;
  }
  if (phase.type === 'turn') endTurn(draft, cancelled(reason), { thenClose: true });
  if (draft.state.phase.type === 'idle') {
    emit(draft, { type: 'session-closed', ...optional({ reason }) });
  }
  return undefined;
}

function cancelled(reason: string | undefined): Cancelled {
  return { type: 'cancelled', ...optional({ reason }) };
}
