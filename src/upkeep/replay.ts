/**
 * Runs a session again from its journal, without a model, tool or clock: the journal has every effect's result.
 *
 * 1. Each transition is folded. If its input can be derived, it is also stepped again and must produce the same
 *    events.
 * 2. Transitions that can only be folded are reported as such: events of programs with their own step, and inputs
 *    that left too little information.
 * 3. Reserved amounts aren't compared: the estimate differs between releases and for redacted bundles.
 */
import { isDeepStrictEqual } from 'node:util';

import type { Event, Recorded } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve/evolve.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Input, InputBody } from '../kernel/input.ts';
import { brokenInvariants } from '../kernel/decide/invariants.ts';
import { newState, type State } from '../kernel/state.ts';
import { step as kernelStep, type Step } from '../kernel/decide/step.ts';
import { likelyInputs } from './likely-inputs.ts';
import { timeAt } from '../kernel/time.ts';

interface ReplayOptions {
  readonly session: SessionId;
  /** The last event to replay. */
  readonly until?: number;
  readonly step?: Step;
}

export interface ReplayStep {
  /** Sequences of the transition's first and last events. */
  readonly first: number;
  readonly last: number;
  readonly events: readonly Recorded[];
  readonly verdict:
    /** Stepped again with this input, with the same events. */
    | { readonly type: 'equal'; readonly input: InputBody['type'] }
    | { readonly type: 'folded' }
    /** Stepped again, with different events. */
    | { readonly type: 'differs'; readonly input: InputBody['type']; readonly instead: readonly Event[] }
    /** Stepped again, and an invariant broke: no session writes such a journal. */
    | { readonly type: 'breaks'; readonly input: InputBody['type']; readonly rule: string };
  /** Rules of SPEC.md that the state violates. */
  readonly broken: readonly string[];
  readonly state: State;
}

/** `records` are all transitions from the first. */
export async function* replay(
  records: AsyncIterable<readonly Recorded[]> | Iterable<readonly Recorded[]>,
  { session, until = Infinity, step = kernelStep }: ReplayOptions,
): AsyncGenerator<ReplayStep> {
  let state = newState(session);
  for await (const all of records) {
    const events = all.filter(({ seq }) => seq <= until);
    const [first] = events;
    const last = events.at(-1);
    if (first === undefined || last === undefined) return;
    const isWhole = events.length === all.length;
    const verdict = isWhole ? judge(state, events, step) : ({ type: 'folded' } as const);
    state = events.reduce(evolve, state);
    const broken = isWhole ? brokenInvariants(state) : [];
    yield { first: first.seq, last: last.seq, events, verdict, broken, state };
  }
}

function judge(state: State, recorded: readonly Recorded[], step: Step): ReplayStep['verdict'] {
  const events = recorded.map(({ event }) => event);
  const [{ at, by } = { at: 0, by: { type: 'system', name: 'system' } as const }] = recorded;
  let differing: ReplayStep['verdict'] | undefined;
  for (const input of likelyInputs(state, events)) {
    let instead: readonly Event[];
    try {
      instead = eventsOf(step(state, { ...input, at: timeAt(at), by, ...bootTimeOf(recorded) }).events);
    } catch (error) {
      differing ??= { type: 'breaks', input: input.type, rule: (error as Error).message };
      continue;
    }
    if (isDeepStrictEqual(comparable(instead), comparable(events))) {
      return { type: 'equal', input: input.type };
    }
    differing ??= { type: 'differs', input: input.type, instead };
  }
  return differing ?? { type: 'folded' };
}

/** A turn's time limit is recorded on the clock of its boot. */
function bootTimeOf(recorded: readonly Recorded[]): Pick<Input, 'bootTime'> {
  for (const { event, at } of recorded) {
    if (event.type !== 'wait-intended' || event.due === undefined) continue;
    const { boot, uptime } = event.due;
    return { bootTime: { boot, uptime: uptime - (event.until - at) } };
  }
  return {};
}

/** The events as they would be read from disk. */
function eventsOf(recorded: readonly Recorded[]): readonly Event[] {
  return JSON.parse(JSON.stringify(recorded.map(({ event }) => event))) as readonly Event[];
}

function comparable(events: readonly Event[]): readonly Event[] {
  return events.map((event) =>
    event.type === 'model-call-intended' || event.type === 'compaction-intended'
      ? { ...event, reserved: 0, maxOutputTokens: 0 }
      : event,
  );
}
