/**
 * A transition under construction. Events apply as they are emitted, so that each choice sees the previous ones.
 * The input state stays unchanged.
 */
import type { Call } from '../call.ts';
import type { Decision } from '../decision.ts';
import type { Event, Recorded } from '../event.ts';
import { evolve } from '../evolve/evolve.ts';
import { effectIdOf, type EffectId } from '../ids.ts';
import type { Input } from '../input.ts';
import type { Judgement } from '../policy/permission.ts';
import type { State } from '../state.ts';

export type { Refusal } from '../refusal.ts';

export interface Draft {
  state: State;
  readonly input: Input;
  readonly events: Recorded[];
  readonly decisions: Decision[];
  /** The last judgement, cached for this state. */
  judged?: { readonly state: State; readonly call: Call; readonly judgement: Judgement };
}

export function emit(draft: Draft, event: Event): EffectId {
  const { at, by } = draft.input;
  const recorded: Recorded = { seq: draft.state.seq + 1, at, by, event };
  draft.state = evolve(draft.state, recorded);
  draft.events.push(recorded);
  return effectIdOf(draft.state.id, recorded.seq);
}

export function want(draft: Draft, decision: Decision): void {
  draft.decisions.push(decision);
}
