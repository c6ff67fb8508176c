/**
 * Which decisions of a session its owner may carry out now.
 *
 * 1. An owner that isn't sure of its lease starts nothing: decisions wait for the next renewal.
 * 2. One whose lease has lapsed was stopped. What it committed since was never started, and a recovery decides.
 * 3. One that hands over starts no model call, no agent turn and no restore: those the next owner can begin. The tools of the
 *    reply at hand still run, since the next owner couldn't know that they didn't.
 */
import type { Leases } from '../../ports/lease.ts';
import type { Decision } from '../../kernel/decision.ts';
import { effectsOf } from '../../kernel/decide/end-turn.ts';
import type { EffectId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';

export interface Gate {
  pass(decisions: readonly Decision[]): void;
  halt(): void;
  /** The lease is sure. `recover`: effects were stopped, and what is in flight has to be settled or begun again. */
  open(): 'recover' | 'opened';
  /** Resolves once nothing is in flight but what the next owner begins. */
  boundary(state: State): Promise<void>;
  /** A transition was settled. */
  settled(state: State): void;
}

export interface GateParts {
  readonly carryOut: (decision: Decision) => void;
  readonly store: { readonly leases: Pick<Leases, 'standing'> };
}

const begunByNextOwner: ReadonlySet<Decision['type']> = new Set([
  'call-model',
  'understand',
  'summarise',
  'prompt-agent',
  'restore-files',
]);

export function createGate({ carryOut, store }: GateParts): Gate {
  let isHalted = false;
  let waiting: Decision[] = [];
  let leaving: { readonly unstarted: Set<EffectId>; readonly reached: PromiseWithResolvers<void> } | undefined;

  function passOne(decision: Decision): void {
    if (leaving !== undefined && 'effect' in decision && begunByNextOwner.has(decision.type)) {
      leaving.unstarted.add(decision.effect);
    } else {
      carryOut(decision);
    }
  }

  function check(state: State): void {
    if (effectsOf(state).every((effect) => leaving?.unstarted.has(effect))) leaving?.reached.resolve();
  }

  return {
    pass(decisions) {
      if (isHalted || decisions.length === 0) return;
      const mayPass = decisions.every(({ type }) => type === 'cancel') || store.leases.standing() === 'sure';
      // Behind what waits, so that nothing is cancelled before it started.
      if (mayPass && waiting.length === 0) for (const one of decisions) passOne(one);
      else waiting.push(...decisions);
    },
    halt() {
      isHalted = true;
      waiting = [];
    },
    open() {
      if (isHalted) {
        isHalted = false;
        return 'recover';
      }
      const late = waiting;
      waiting = [];
      for (const one of late) passOne(one);
      return 'opened';
    },
    boundary(state) {
      leaving ??= { unstarted: new Set(), reached: Promise.withResolvers() };
      check(state);
      return leaving.reached.promise;
    },
    settled(state) {
      if (leaving !== undefined) check(state);
    },
  };
}
