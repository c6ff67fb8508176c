/**
 * Kernel tables: given events, when an input, then exactly these events and decisions.
 *
 *     given(created(), chat('hello'))
 *       .when(modelReplied('ses_1.4', 'Hi.'))
 *       .then(events(…), decisions(…));
 *
 * The given values are inputs, stepped through the kernel, so that tests use only reachable states.
 */
import assert from 'node:assert/strict';

import { system } from '../kernel/actor.ts';
import type { Decision } from '../kernel/decision.ts';
import type { Refusal } from '../kernel/decide/draft.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import { effectIdOf, questionIdOf, type EffectId, type QuestionId, type SessionId } from '../kernel/ids.ts';
import type { Input, InputBody } from '../kernel/input.ts';
import { brokenInvariants } from '../kernel/decide/invariants.ts';
import { newState, turnOf, type State } from '../kernel/state.ts';
import { step, type Transition } from '../kernel/decide/step.ts';
import { optional } from '../kernel/optional.ts';
import { timeAt } from '../kernel/time.ts';

/** The session in these tables. */
export const testSession = 'ses_1' as SessionId;
/** The time of their inputs. */
export const testTime = timeAt(1_000_000);

/** The effect intended by the event with this sequence. */
export const effect = (seq: number): EffectId => effectIdOf(testSession, seq);
/** The question opened by the event with this sequence. */
export const question = (seq: number): QuestionId => questionIdOf(testSession, seq);

/** An input with the test's default time and actor, unless it has its own. */
export type GivenInput = InputBody & { readonly at?: number; readonly by?: Input['by'] };

/** The session so far. */
export interface Given {
  readonly state: State;
  when(input: GivenInput): Then;
}

interface Then {
  readonly transition: Transition;
  /** Compares whole lists: the order matters. */
  then(...expected: readonly Expectation[]): Given;
}

/** What `then` compares with. */
export type Expectation =
  | { readonly events: readonly Event[] }
  | { readonly decisions: readonly Decision[] }
  | { readonly refusal: Refusal };

/** Exactly these events. */
export const events = (...list: readonly Event[]): Expectation => ({ events: list });
/** Exactly these decisions. */
export const decisions = (...list: readonly Decision[]): Expectation => ({ decisions: list });
/** The input was refused, and nothing happened. */
export const refusal = (code: Refusal['code'], message: string): Expectation => ({ refusal: { code, message } });

/** Starts a kernel table: given inputs, when one more, then events and decisions. */
export function given(...inputs: readonly GivenInput[]): Given {
  return fromState(played(...inputs).state);
}

function fromState(state: State): Given {
  return {
    state,
    when(input) {
      const transition = stepSoundly(state, input);
      return {
        transition,
        // oxlint-disable-next-line unicorn/no-thenable -- the word of the table; nobody awaits it
        then(...expected) {
          const { refusal: refused } = transition;
          const actual = {
            events: transition.events.map((recorded) => recorded.event),
            decisions: transition.decisions,
            ...optional({ refusal: refused }),
          };
          assert.deepStrictEqual(actual, Object.assign({ events: [], decisions: [] }, ...expected));
          return fromState(transition.state);
        },
      };
    },
  };
}

/** The state after these inputs, and all their events. */
export function played(...inputs: readonly GivenInput[]): {
  readonly state: State;
  readonly events: readonly Recorded[];
} {
  let state = newState(testSession);
  const recorded: Recorded[] = [];
  for (const input of inputs) {
    const transition = stepSoundly(state, input);
    ({ state } = transition);
    recorded.push(...transition.events);
  }
  return { state, events: recorded };
}

/** Steps once and checks every step's invariants: no mutation, sound state, state survives JSON. */
export function stepSoundly(state: State, input: GivenInput): Transition {
  const transition = step(
    deepFreeze(state),
    deepFreeze({ by: system, ...described(state, input), at: timeAt(input.at ?? testTime) }),
  );
  assert.deepStrictEqual(brokenInvariants(transition.state), [], `after ${input.type}`);
  assert.deepStrictEqual(JSON.parse(JSON.stringify(transition.state)), transition.state, `after ${input.type}`);
  return transition;
}

/** A recovery that doesn't name its calls uses their recorded facts. */
function described(state: State, input: GivenInput): GivenInput {
  if (input.type !== 'session-recovered' || input.calls !== undefined) return input;
  const activity = turnOf(state)?.activity;
  const calls = activity?.type === 'running-calls' ? activity.calls : [];
  return {
    ...input,
    calls: calls.flatMap((progress) =>
      progress.type === 'settled' ? [] : [{ call: progress.call.id, facts: progress.call.facts }],
    ),
  };
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
