/**
 * Since when each effect in flight has been so: the one thing `status` needs that the state does not
 * hold. Bounded by what may be in flight at once. A fold may begin anywhere; what began before has no time.
 */
import type { Recorded } from '../kernel/event.ts';
import { seqOfEffect, type CallId, type EffectId } from '../kernel/ids.ts';

export interface InFlight {
  readonly effects: readonly { readonly seq: number; readonly at: number; readonly call?: CallId }[];
}

export function newInFlight(): InFlight {
  return { effects: [] };
}

export function inFlightOf(events: Iterable<Recorded>): InFlight {
  let view = newInFlight();
  for (const recorded of events) view = inFlightWith(view, recorded);
  return view;
}

export function inFlightWith(view: InFlight, { event, seq, at }: Recorded): InFlight {
  const { effects } = view;
  switch (event.type) {
    // Nothing else of a turn is in flight beside these.
    case 'model-call-intended':
    case 'understanding-intended':
    case 'agent-turn-intended':
    case 'compaction-intended':
      return { effects: [{ seq, at }] };
    case 'wait-intended':
      return event.why === 'error-pause' || event.why === 'provider-reset' ? { effects: [{ seq, at }] } : view;
    case 'tool-run-intended':
    case 'job-intended':
      return { effects: [...effects, { seq, at, call: event.call }] };
    case 'tool-settled':
      return { effects: effects.filter(({ call }) => call !== event.call) };
    case 'effect-repeated': {
      const repeated = seqOfEffect(event.effect);
      const before = effects.find((effect) => effect.seq === repeated);
      const others = effects.filter((effect) => effect.seq !== repeated);
      return { effects: [...others, { ...before, seq: repeated, at }] };
    }
    case 'model-settled':
    case 'prompt-understood':
    case 'agent-turn-settled':
    case 'compaction-settled':
    case 'turn-started':
    case 'turn-ended':
      return effects.length === 0 ? view : newInFlight();
    default:
      return view;
  }
}

export function sinceOf({ effects }: InFlight, effect: EffectId): number | undefined {
  if (effects.length === 0) return undefined;
  const seq = seqOfEffect(effect);
  return effects.find((known) => known.seq === seq)?.at;
}
