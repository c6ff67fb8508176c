import type { Restore } from '../checkpoint.ts';
import type { Event, Recorded } from '../event.ts';
import { effectIdOf } from '../ids.ts';
import type { State } from '../state.ts';

type RestoreEvent = Extract<
  Event,
  { type: 'restore-intended' | 'checkpoint-taken' | 'files-restored' | 'restore-failed' }
>;

export function evolveRestore(state: State, { seq }: Recorded, event: RestoreEvent): State {
  switch (event.type) {
    case 'restore-intended': {
      const { type: _, ...goal } = event;
      return withRestore(state, { ...goal, effect: effectIdOf(state.id, seq), attempt: 1 });
    }
    case 'checkpoint-taken': {
      const restore = restoreIn(state);
      if (restore === undefined || restore.effect !== event.effect) return state;
      return withRestore(state, { ...restore, before: event.checkpoint });
    }
    case 'files-restored':
    case 'restore-failed':
      // In older journals files were restored without an intent.
      return restoreIn(state) === undefined ? state : { ...state, recoveries: 0, phase: { type: 'idle' } };
  }
}

export function withRestore(state: State, restore: Restore): State {
  return { ...state, phase: { type: 'restoring', restore } };
}

export function restoreIn({ phase }: State): Restore | undefined {
  return phase.type === 'restoring' ? phase.restore : undefined;
}
