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
  /** Releases each session as soon as it is idle, because other nodes wait for it. */
  readonly handOver?: boolean;
}

/** Waits up to the deadline for running turns to end, after cancelling them if requested. */
export async function drainSessions(
  lives: readonly LiveSession[],
  {
    deadline,
    cancel,
    clock,
    ended,
  }: Draining & {
    readonly clock: { now(): number; at(time: number, call: () => void): () => void };
    /** Called when a session's turn ended. */
    readonly ended?: (live: LiveSession) => Promise<unknown> | undefined;
  },
): Promise<void> {
  const busy = lives.filter((live) => hasEffectsInFlight(live.state));
  if (cancel) await Promise.allSettled(busy.map((live) => live.submit({ type: 'interrupted' }, { by: host })));
  if (deadline <= 0 || busy.length === 0) return;
  const work = busy.map((live) => (ended === undefined ? atRest(live) : atRest(live).then(() => ended(live))));
  await waitWithin(Promise.allSettled(work), deadline, clock);
}

function atRest(live: LiveSession): Promise<unknown> {
  // A restore isn't part of a turn.
  if (live.state.phase.type === 'restoring') return live.boundary();
  return awaitTurn(live.turns, undefined, { whenAsked: 'return' });
}
