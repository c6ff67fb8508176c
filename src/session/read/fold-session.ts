/** Folds a session from its first event: its state, and its entries in lists and inboxes. */
import type { Shown } from '../../ports/upkeep.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import type { Recorded } from '../../kernel/event.ts';
import { evolve } from '../../kernel/evolve/evolve.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { newState, type State } from '../../kernel/state.ts';
import { directoryEntryOf } from '../../views/directory.ts';
import { dueOf, listedQuestion } from './projector.ts';

export interface SessionFold {
  readonly state: State;
  /** The events of one transition, in order. */
  add(events: readonly Recorded[]): void;
  shown(): Shown;
}

export function createSessionFold(session: SessionId): SessionFold {
  let state = newState(session);
  return {
    get state() {
      return state;
    },
    add(events) {
      for (const recorded of events) state = evolve(state, recorded);
    },
    shown: () => shownOf(state),
  };
}

export function shownOf(state: State): Shown {
  return {
    entry: directoryEntryOf(state),
    questions: state.questions.map((question) => listedQuestion(question, state)),
    due: dueOf(state),
    inFlight: hasEffectsInFlight(state),
  };
}
