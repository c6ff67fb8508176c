import { sessionOfEffect, type EffectId, type SessionId } from '../kernel/ids.ts';
import type { RuntimeContext } from './runtime-context.ts';

/** What is in flight in this process, by effect. Signals and timers live here, never in state. */
export interface Effects {
  start(effect: EffectId, running: Running): void;
  /** Takes the effect off the list; false when it was settled, dropped or replaced before. */
  settle(effect: EffectId, running: Running): boolean;
  get(effect: EffectId): Running | undefined;
  ofSession(session: SessionId): readonly Running[];
  readonly size: number;
}

export interface Running {
  readonly session: SessionId;
  readonly attempt: number;
  readonly context?: RuntimeContext;
  /** Asks it to end. It still settles, by itself or by force when `graceMs` have passed. */
  cancel(graceMs: number): void;
  /** Ends it for good; nothing is delivered any more. */
  drop(): void;
}

export function createEffects(): Effects {
  const sessions = new Map<SessionId, readonly Entry[]>();
  const find = (session: SessionId, effect: EffectId) =>
    sessions.get(session)?.find((entry) => entry.effect === effect);
  return {
    start(effect, running) {
      find(running.session, effect)?.running.drop();
      const others = sessions.get(running.session) ?? [];
      sessions.set(running.session, [...others, { effect, running }]);
    },
    settle(effect, running) {
      const { session } = running;
      const found = find(session, effect);
      if (found?.running !== running) return false;
      const rest = (sessions.get(session) ?? []).filter((entry) => entry !== found);
      if (rest.length === 0) sessions.delete(session);
      else sessions.set(session, rest);
      return true;
    },
    get: (effect) => find(sessionOfEffect(effect), effect)?.running,
    ofSession: (session) => (sessions.get(session) ?? []).map(({ running }) => running),
    get size() {
      let count = 0;
      for (const entries of sessions.values()) count += entries.length;
      return count;
    },
  };
}

/** Few at a time in one session: a list is smaller than a map, and there may be many sessions. */
interface Entry {
  readonly effect: EffectId;
  readonly running: Running;
}
