/**
 * When a session may leave memory, and what brings it back.
 *
 * 1. Asleep is one with nothing in flight, no process kept for it, nobody who listens or waits, and no use
 *    for `afterMs`. It is released: whoever needs it next claims it.
 * 2. One that sleeps with a timer is woken when the first of its waits is due.
 */
import type { SessionId } from '../../kernel/ids.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import type { LiveSession } from '../live/live-session.ts';

export interface Hibernation {
  /** Puts the beginning of its rest off. */
  used(session: SessionId): void;
  /** It is awake, given up or gone: its timer wakes it no more. */
  forget(session: SessionId): void;
  /** From here on nothing falls asleep and nothing is woken. */
  stop(): void;
}

export interface HibernationParts {
  readonly lives: ReadonlyMap<SessionId, LiveSession>;
  readonly clock: { now(): number; ticks(): number; at(time: number, call: () => void): () => void };
  readonly afterMs: number;
  /** Whether processes of the session are kept between turns: then it stays, and so does its claim. */
  readonly keepsProcesses: (session: SessionId) => boolean;
  readonly letGo: (live: LiveSession) => Promise<void>;
  readonly wake: (session: SessionId) => void;
}

export function createHibernation({
  lives,
  clock,
  afterMs,
  keepsProcesses,
  letGo,
  wake,
}: HibernationParts): Hibernation {
  const lastUsed = new Map<SessionId, number>();
  const alarms = new Map<SessionId, () => void>();
  let disarmSweep: (() => void) | undefined;
  let isStopped = false;

  function armSweep(): () => void {
    return clock.at(clock.now() + Math.max(afterMs / 2, 10), () => {
      for (const live of lives.values()) if (canSleep(live)) void sleep(live).catch(() => undefined);
      disarmSweep = lives.size > 0 && !isStopped ? armSweep() : undefined;
    });
  }

  function canSleep(live: LiveSession): boolean {
    const idleSince = lastUsed.get(live.id) ?? 0;
    if (!live.isQuiet() || live.isListenedTo() || live.turns.waiters.length > 0) return false;
    const { waits, updatedAt } = live.state;
    if (hasEffectsInFlight(live.state) || keepsProcesses(live.id)) return false;
    // Where the clock was set back, a session's own time stands while it sleeps: its waits would begin anew each time.
    if (waits.length > 0 && updatedAt > clock.now()) return false;
    return clock.ticks() - idleSince >= afterMs;
  }

  async function sleep(live: LiveSession): Promise<void> {
    const { waits } = live.state;
    await letGo(live);
    if (waits.length === 0 || isStopped || lives.has(live.id)) return;
    const due = Math.min(...waits.map((wait) => wait.until));
    alarms.set(
      live.id,
      clock.at(due, () => wake(live.id)),
    );
  }

  return {
    used(session) {
      if (!lives.has(session)) return;
      lastUsed.set(session, clock.ticks());
      if (!isStopped) disarmSweep ??= armSweep();
    },
    forget(session) {
      lastUsed.delete(session);
      alarms.get(session)?.();
      alarms.delete(session);
    },
    stop() {
      isStopped = true;
      disarmSweep?.();
      for (const disarm of alarms.values()) disarm();
    },
  };
}
