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
  const sessions = new Map<SessionId, Map<EffectId, Running>>();
  return {
    start(effect, entry) {
      sessions.get(entry.session)?.get(effect)?.drop();
      const running = sessions.get(entry.session) ?? new Map<EffectId, Running>();
      running.set(effect, entry);
      sessions.set(entry.session, running);
    },
    settle(effect, entry) {
      const running = sessions.get(entry.session);
      if (running?.get(effect) !== entry) return false;
      running.delete(effect);
      if (running.size === 0) sessions.delete(entry.session);
      return true;
    },
    get: (effect) => sessions.get(sessionOfEffect(effect))?.get(effect),
    ofSession: (session) => [...(sessions.get(session)?.values() ?? [])],
    get size() {
      let count = 0;
      for (const running of sessions.values()) count += running.size;
      return count;
    },
  };
}
