import { closeToolQuestions } from './decide-tool-asked.ts';
import { emit, type Draft } from './draft.ts';
import { turnOf } from '../state.ts';
import { reservationOf } from '../evolve/turn-change.ts';

/** Records the end of cancelled effects that didn't report in time and were killed. */
export function settleAsKilled(draft: Draft): void {
  const activity = turnOf(draft.state)?.activity;
  switch (activity?.type) {
    case 'calling-model': {
      const { effect, reserved } = activity;
      const outcome = { type: 'cancelled', reason: 'killed', usage: reservationOf(reserved) } as const;
      emit(draft, { type: 'model-settled', effect, outcome });
      return;
    }
    case 'understanding': {
      const { effect, reserved } = activity;
      const outcome = { type: 'cancelled', reason: 'killed', usage: reservationOf(reserved) } as const;
      emit(draft, { type: 'prompt-understood', effect, outcome });
      return;
    }
    case 'compacting': {
      const { effect, reserved } = activity;
      const outcome = { type: 'cancelled', reason: 'killed' } as const;
      emit(draft, { type: 'compaction-settled', effect, outcome, usage: reservationOf(reserved) });
      return;
    }
    case 'prompting-agent':
      emit(draft, { type: 'agent-turn-settled', ending: { type: 'cancelled', reason: 'killed' } });
      return;
    case 'running-calls':
      for (const progress of activity.calls) {
        if (progress.type === 'running') {
          closeToolQuestions(draft, progress.call.id);
          emit(draft, { type: 'tool-settled', call: progress.call.id, result: { type: 'cancelled' } });
        }
      }
      return;
    default:
      return;
  }
}
