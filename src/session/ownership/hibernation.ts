/**
 * When a session may leave memory, and what brings it back.
 *
 * 1. A session sleeps if nothing is in flight, no process is kept for it, nobody listens or waits, and nobody used
 *    it for `afterMs`. It is then released: the next process that needs it claims it.
 * 2. A sleeping session with timers wakes when the first one is due.
 */
import type { SessionId } from '../../kernel/ids.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import type { LiveSession } from '../live/live-session.ts';

interface Hibernation {
  /** Restarts the session's idle period. */
  used(session: SessionId): void;
  /** Cancels the timer of a session that is awake, released or removed. */
  forget(session: SessionId): void;
  /** Stops both hibernation and wake-ups. */
  stop(): void;
}

interface HibernationParts {
  readonly lives: ReadonlyMap<SessionId, LiveSession>;
  readonly clock: { now(): number; ticks(): number; at(time: number, call: () => void): () => void };
  readonly afterMs: number;
  /** True if processes of the session are kept between turns. The session then stays in memory and claimed. */
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
    // If the clock was set back, a sleeping session's own time stands still, so its waits would restart each time.
    if (waits.length > 0 && updatedAt > clock.now()) return false;
    // If it was set forward, a wait that isn't over looks overdue, and the session would wake at once.
    if (waits.some(({ until }) => until <= clock.now())) return false;
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
