/**
 * Which decisions of a session its owner may carry out now.
 *
 * 1. An owner that isn't certain of its lease starts nothing: decisions wait for the next renewal.
 * 2. An owner whose lease lapsed was stopped. Decisions it committed since never started; a recovery handles them.
 * 3. An owner that hands over starts no model call, agent turn or restore: the next owner can start those. The
 *    tools of the current reply still run, since the next owner couldn't know that they didn't.
 */
import type { Leases } from '../../ports/lease.ts';
import type { Decision } from '../../kernel/decision.ts';
import { effectsOf } from '../../kernel/decide/end-turn.ts';
import type { EffectId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';

interface OwnerGate {
  pass(decisions: readonly Decision[]): void;
  halt(): void;
  /** Called when the lease is certain. After a halt nothing is left to start: a recovery decides what is in flight. */
  open(): void;
  /** Resolves once only work that the next owner starts is in flight. */
  boundary(state: State): Promise<void>;
  /** Called after each settled transition. */
  settled(state: State): void;
}

interface OwnerGateParts {
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

export function createOwnerGate({ carryOut, store }: OwnerGateParts): OwnerGate {
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
      // Queued behind waiting decisions, so that nothing is cancelled before it starts.
      if (mayPass && waiting.length === 0) for (const one of decisions) passOne(one);
      else waiting.push(...decisions);
    },
    halt() {
      isHalted = true;
      waiting = [];
    },
    open() {
      isHalted = false;
      const late = waiting;
      waiting = [];
      for (const one of late) passOne(one);
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
