/**
 * The session's one decision: `step(state, input)` says what happened, what is now true and what
 * is wanted. Pure: no clock, no chance, no IO, and neither argument is changed.
 *
 * 1. Same state and input, same transition.
 * 2. The new state is the old one evolved by the events, nothing else.
 * 3. An input that is late, doubled or refused has no events.
 * 4. No step leaves a turn at a boundary: whatever can go on has been decided.
 */
import { advance } from './advance.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Draft, Refusal } from './draft.ts';
import type { Recorded } from './event.ts';
import type { Input } from './input.ts';
import type { State } from './state.ts';

/** What one step came to: recorded first, carried out afterwards. */
export interface Transition {
  readonly state: State;
  readonly events: readonly Recorded[];
  readonly decisions: readonly Decision[];
  readonly refusal?: Refusal;
}

/** The signature of `step`, for a program that brings its own around it. */
export type Step = (state: State, input: Input) => Transition;

/** What a session does about one input: pure, and the only place where it is decided. */
export function step(state: State, input: Input): Transition {
  const draft: Draft = { state, input, events: [], decisions: [] };
  const refusal = decide(draft);
  if (refusal !== undefined) return { state, events: [], decisions: [], refusal };
  advance(draft);
  return {
    state: draft.state,
    events: draft.events,
    decisions: draft.decisions.every((one) => isStillWanted(draft.state, one))
      ? draft.decisions
      : draft.decisions.filter((one) => isStillWanted(draft.state, one)),
  };
}

/** A question that the same step closed again is not asked. */
function isStillWanted({ questions }: State, decision: Decision): boolean {
  return decision.type !== 'ask' || questions.some(({ id }) => id === decision.question.id);
}
