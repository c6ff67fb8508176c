import type { AgentAnswer } from '../kernel/agent-request.ts';
import { sessionOfEffect, type EffectId, type SessionId } from '../kernel/ids.ts';
import type { RuntimeContext } from './runtime-context.ts';

/** Effects in flight in this process. Signals and timers live here, never in state. */
export interface Effects {
  start(running: Running): void;
  /** Removes the effect. False if it was already settled, dropped or replaced. */
  settle(running: Running): boolean;
  get(effect: EffectId): Running | undefined;
  ofSession(session: SessionId): readonly Running[];
  /** Tracks work that may outlive its settlement, until it has really ended. */
  track(running: Pick<Running, 'effect' | 'session'>, ended: Promise<unknown>): void;
  /** The session's work that hasn't ended, settled or not. */
  unended(session: SessionId): readonly Unended[];
  readonly size: number;
}

export interface Running {
  readonly effect: EffectId;
  readonly session: SessionId;
  readonly attempt: number;
  readonly context?: RuntimeContext;
  /** Asks the effect to end. It still settles: by itself, or by force after `graceMs`. */
  cancel(graceMs: number): void;
  /** Delivers the answer to a question of this effect. */
  answer?(attempt: number, key: string, answer: AgentAnswer): void;
  /** Ends the effect permanently and delivers nothing more. */
  drop(): void;
}

interface Unended {
  readonly effect: EffectId;
  /** Never rejects. */
  readonly ended: Promise<void>;
}

export function createEffects(): Effects {
  /** A session has few effects at a time. An array is smaller than a map, and there may be many sessions. */
  const sessions = new Map<SessionId, readonly Running[]>();
  const endings = new Map<SessionId, readonly Unended[]>();
  const find = (session: SessionId, effect: EffectId) =>
    sessions.get(session)?.find((running) => running.effect === effect);
  return {
    start(running) {
      const { session, effect } = running;
      find(session, effect)?.drop();
      const others = sessions.get(session);
      sessions.set(session, others === undefined ? [running] : [...others, running]);
    },
    settle(running) {
      const { session, effect } = running;
      if (find(session, effect) !== running) return false;
      const rest = (sessions.get(session) ?? []).filter((other) => other !== running);
      if (rest.length === 0) sessions.delete(session);
      else sessions.set(session, rest);
      return true;
    },
    get: (effect) => find(sessionOfEffect(effect), effect),
    ofSession: (session) => sessions.get(session) ?? [],
    track({ session, effect }, ended) {
      const over = () => {
        const rest = (endings.get(session) ?? []).filter((other) => other !== ending);
        if (rest.length === 0) endings.delete(session);
        else endings.set(session, rest);
      };
      const ending: Unended = { effect, ended: ended.then(over, over) };
      endings.set(session, [...(endings.get(session) ?? []), ending]);
    },
    unended: (session) => endings.get(session) ?? [],
    get size() {
      let count = 0;
      for (const entries of sessions.values()) count += entries.length;
      return count;
    },
  };
}
