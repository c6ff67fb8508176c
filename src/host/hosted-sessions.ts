/**
 * The lifecycle of the sessions that a host runs agents for. Store, ids, clock, cleaner and logger are given.
 *
 * 1. Every change of state is saved before it is told, and a refused one changes nothing: an agent that may not
 *    be attached is not attached, and the caller is told to end it. Heartbeats and counts are saved with the
 *    next change of state: losing them is harmless, and they are many.
 * 2. Changes of one session come one after the other; sessions do not wait for each other.
 * 3. Terminating is idempotent: the first reason stays, and cleaning happens once.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { Cleaner } from './cleaner.ts';
import type { HostedSession, HostedStore, HostRefusal } from './hosted-session.ts';
import { isTransitionError, nextLifecycle, type LifecycleEvent, type LifecycleState } from './lifecycle.ts';

/** The life of hosted sessions: created, spawning, active, terminating, cleaned. Each change is durable before it is answered. */
export interface HostedSessions<Agent> {
  create(wanted: {
    readonly agent: string;
    readonly role: string;
    readonly parent?: SessionId;
  }): Promise<HostAnswer>;
  beginSpawn(session: SessionId): Promise<HostAnswer>;
  /** Refused where the session was terminated meanwhile: the caller then ends the agent it brought. */
  attachAgent(session: SessionId, agent: Agent): Promise<HostAnswer>;
  recordHeartbeat(session: SessionId): Promise<HostAnswer>;
  incrementMessageCount(session: SessionId): Promise<HostAnswer>;
  markTerminating(session: SessionId, reason: string): Promise<HostAnswer>;
  /** Runs the cleaner and marks the session cleaned; called twice, it cleans once. */
  completeCleanup(session: SessionId): Promise<HostAnswer>;
  agentOf(session: SessionId): Agent | undefined;
  get(session: SessionId): HostedSession | undefined;
  getByRole(role: string, parent?: SessionId): HostedSession | undefined;
  list(query?: { readonly state?: LifecycleState; readonly agent?: string }): readonly HostedSession[];
  count(state?: LifecycleState): number;
}

export type HostAnswer = { readonly type: 'done'; readonly session: HostedSession } | HostRefusal;

export interface HostedSessionsParts<Agent> {
  readonly store: HostedStore;
  readonly ids: { session(): SessionId };
  readonly clock: { now(): number };
  readonly cleaner: Cleaner<Agent>;
  readonly logger: {
    log(level: 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>): void;
  };
}

/** Loads what an earlier host left; see `HostedAgents.cleanLeftovers`. */
export async function createHostedSessions<Agent>(
  parts: HostedSessionsParts<Agent>,
): Promise<HostedSessions<Agent>> {
  const { store, ids, clock, cleaner, logger } = parts;
  const sessions = new Map<SessionId, HostedSession>();
  const agents = new Map<SessionId, Agent>();
  const lanes = new Map<SessionId, Promise<unknown>>();
  for (const session of await store.load()) sessions.set(session.id, session);

  /** One after the other for one session. */
  function inLane(id: SessionId, work: () => Promise<HostAnswer>): Promise<HostAnswer> {
    const run = (lanes.get(id) ?? Promise.resolve()).then(work, work);
    const settled = run
      .catch(() => undefined)
      .finally(() => {
        if (lanes.get(id) === settled) lanes.delete(id);
      });
    lanes.set(id, settled);
    return run;
  }

  async function keep(session: HostedSession): Promise<HostAnswer> {
    await store.save(session);
    sessions.set(session.id, session);
    return { type: 'done', session };
  }

  function change(
    id: SessionId,
    apply: (session: HostedSession) => HostedSession | HostRefusal,
    then?: () => void,
  ): Promise<HostAnswer> {
    return inLane(id, async () => {
      const session = sessions.get(id);
      if (session === undefined) return { type: 'unknown-session', session: id };
      const changed = apply(session);
      if ('type' in changed) return changed;
      if (changed.state === session.state) {
        sessions.set(id, changed);
        return { type: 'done', session: changed };
      }
      const answer = await keep(changed);
      then?.();
      return answer;
    });
  }

  function moved(session: HostedSession, event: LifecycleEvent): HostedSession | HostRefusal {
    const next = nextLifecycle(session.state, event);
    if (isTransitionError(next)) return next;
    logger.log('info', `session ${session.id} is ${next}`, { session: session.id, from: session.state, to: next });
    return { ...session, state: next, lastActiveAt: clock.now() };
  }

  const holderOf = (role: string, parent: SessionId | undefined) =>
    [...sessions.values()].find(
      (other) => other.role === role && other.parent === parent && other.state !== 'cleaned',
    );

  function freshId(): SessionId {
    for (;;) {
      const id = ids.session();
      if (!sessions.has(id)) return id;
      logger.log('warn', `the id ${id} is taken; another one is made`, { session: id });
    }
  }

  return {
    async create({ agent, role, parent }) {
      const holder = holderOf(role, parent);
      if (holder !== undefined) return { type: 'role-taken', role, holder: holder.id };
      const now = clock.now();
      const session: HostedSession = {
        id: freshId(),
        agent,
        role,
        ...(parent !== undefined && { parent }),
        state: 'created',
        createdAt: now,
        lastActiveAt: now,
        messages: 0,
      };
      // Known before it is saved, so that no other takes its role or id meanwhile.
      sessions.set(session.id, session);
      try {
        return await inLane(session.id, () => keep(session));
      } catch (error) {
        sessions.delete(session.id);
        throw error;
      }
    },
    beginSpawn: (id) => change(id, (session) => moved(session, 'spawn')),
    attachAgent: (id, agent) =>
      change(
        id,
        (session) => moved(session, 'attach'),
        () => agents.set(id, agent),
      ),
    recordHeartbeat: (id) => change(id, (session) => touched(session, clock.now())),
    incrementMessageCount: (id) =>
      change(id, (session) => ({ ...touched(session, clock.now()), messages: session.messages + 1 })),
    markTerminating: (id, reason) =>
      change(id, (session) => {
        if (session.state === 'terminating') return session;
        const next = moved(session, 'terminate');
        return 'type' in next ? next : { ...next, reason };
      }),
    completeCleanup: (id) =>
      inLane(id, async () => {
        const session = sessions.get(id);
        if (session === undefined) return { type: 'unknown-session', session: id };
        if (session.state === 'cleaned') return { type: 'done', session };
        const next = moved(session, 'clean');
        if ('type' in next) return next;
        await cleaner.clean(session, agents.get(id));
        agents.delete(id);
        return keep(next);
      }),
    agentOf: (id) => agents.get(id),
    get: (id) => sessions.get(id),
    getByRole: (role, parent) => holderOf(role, parent),
    list: ({ state, agent } = {}) =>
      [...sessions.values()].filter(
        (session) =>
          (state === undefined || session.state === state) && (agent === undefined || session.agent === agent),
      ),
    count: (state) =>
      [...sessions.values()].filter((session) => state === undefined || session.state === state).length,
  };
}

function touched(session: HostedSession, now: number): HostedSession {
  return { ...session, lastActiveAt: Math.max(session.lastActiveAt, now) };
}
