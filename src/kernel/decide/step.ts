/**
 * The session's single decision function: `step(state, input)` returns events, the new state and decisions. It is
 * pure: no clock, no randomness, no IO, no mutation of its arguments.
 *
 * 1. The same state and input give the same transition.
 * 2. The new state is the old one evolved by the events, and nothing else.
 * 3. A late, repeated or refused input has no events.
 * 4. No step leaves a turn at a boundary: everything that can proceed has been decided.
 */
import { advance } from './advance.ts';
import { decide } from './decide.ts';
import type { Decision } from '../decision.ts';
import type { Draft, Refusal } from './draft.ts';
import type { Recorded } from '../event.ts';
import type { Input } from '../input.ts';
import type { State } from '../state.ts';

/** The result of a step: recorded first, carried out afterwards. */
export interface Transition {
  readonly state: State;
  readonly events: readonly Recorded[];
  readonly decisions: readonly Decision[];
  readonly refusal?: Refusal;
}

/** The signature of `step`, for programs that wrap it. */
export type Step = (state: State, input: Input) => Transition;

/** Decides what a session does about an input. Pure, and the only place that decides. */
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

/** Drops a question that the same step closed again. */
function isStillWanted({ questions }: State, decision: Decision): boolean {
  return decision.type !== 'ask' || questions.some(({ id }) => id === decision.question.id);
}
