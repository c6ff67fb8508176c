import { host } from '../../kernel/actor.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import type { LiveSession } from '../live/live-session.ts';
import { awaitTurn } from '../live/turn-watch.ts';
import { waitWithin } from './wait-within.ts';

export interface Draining {
  /** Milliseconds. */
  readonly deadline: number;
  readonly cancel: boolean;
  /** Milliseconds to wait for cancelled work to end. Default 5000: killing a process tree takes four seconds. */
  readonly endWithin?: number;
}

/** Waits up to the deadline for running turns to end, after cancelling them if requested. */
export async function drainSessions(
  lives: readonly LiveSession[],
  {
    deadline,
    cancel,
    clock,
  }: Draining & { readonly clock: { now(): number; at(time: number, call: () => void): () => void } },
): Promise<void> {
  const busy = lives.filter((live) => hasEffectsInFlight(live.state));
  if (cancel) await Promise.allSettled(busy.map((live) => live.submit({ type: 'interrupted' }, { by: host })));
  if (deadline <= 0 || busy.length === 0) return;
  await waitWithin(Promise.allSettled(busy.map(atRest)), deadline, clock);
}

function atRest(live: LiveSession): Promise<unknown> {
  // A restore isn't part of a turn.
  if (live.state.phase.type === 'restoring') return live.boundary();
  return awaitTurn(live.turns, undefined, { whenAsked: 'return' });
}
