/**
 * The lifecycle of hosted sessions. Store, ids, clock, cleaner and logger are injected.
 *
 * 1. A state change is saved before it is announced, and a refused one changes nothing: a refused agent isn't
 *    attached, and its caller must end it. Heartbeats and counts are frequent and harmless to lose, so they are
 *    saved with the next state change.
 * 2. Changes of one session are sequential. Sessions don't wait for each other.
 * 3. Terminating is idempotent: the first reason stays, and cleaning happens once. After a failed step the session
 *    stays `terminating` and can be retried.
 * 4. The newest ended sessions are remembered for late queries.
 */
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { Cleaner } from './cleaner.ts';
import type { HostedSession, HostedStore, HostRefusal } from './hosted-session.ts';
import { isTransitionError, nextLifecycle, type LifecycleEvent, type LifecycleState } from './lifecycle.ts';

/**
 * The states of hosted sessions: created, spawning, active, terminating, cleaned. Each change is durable before it
 * is answered.
 */
export interface HostedSessions<Agent> {
  create(wanted: {
    readonly agent: string;
    readonly role: string;
    readonly parent?: SessionId;
    /** Default: `external`, a process. */
    readonly runs?: HostedSession['runs'];
    /** The id of an existing session (default: a new one). */
    readonly id?: SessionId;
  }): Promise<HostAnswer>;
  beginSpawn(session: SessionId): Promise<HostAnswer>;
  /** Refused if the session was terminated in between. The caller must then end the agent. */
  attachAgent(session: SessionId, agent: Agent): Promise<HostAnswer>;
  /** The agent is gone and the session isn't: it stays active until another agent is attached. */
  detachAgent(session: SessionId): void;
  recordHeartbeat(session: SessionId): Promise<HostAnswer>;
  incrementMessageCount(session: SessionId): Promise<HostAnswer>;
  markTerminating(session: SessionId, reason: string): Promise<HostAnswer>;
  /** Runs the cleaner once and marks the session cleaned. */
  completeCleanup(session: SessionId): Promise<HostAnswer>;
  /** Forgets a session that has nothing running here. */
  forget(session: SessionId): Promise<void>;
  agentOf(session: SessionId): Agent | undefined;
  get(session: SessionId): HostedSession | undefined;
  getByRole(role: string, parent?: SessionId): HostedSession | undefined;
  list(query?: HostedQuery): readonly HostedSession[];
  count(state?: LifecycleState): number;
}

/** Which hosted sessions to list; without any of these, all. */
export interface HostedQuery {
  readonly state?: LifecycleState;
  readonly agent?: string;
  /** Of all parents: a role is unique only within one. */
  readonly role?: string;
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
  const holders = new Map<string, SessionId>();
  const over: SessionId[] = [];
  for (const session of await store.load()) know(session);

  function know(session: HostedSession): void {
    sessions.set(session.id, session);
    const place = placeOf(session.role, session.parent);
    if (session.state !== 'cleaned') holders.set(place, session.id);
    else if (holders.get(place) === session.id) holders.delete(place);
  }

  function drop(id: SessionId): void {
    const session = sessions.get(id);
    if (session === undefined) return;
    know({ ...session, state: 'cleaned' });
    sessions.delete(id);
    agents.delete(id);
  }

  /** Runs changes of one session sequentially. */
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
    know(session);
    return { type: 'done', session };
  }

  /** A frequent, unsaved change: waits only if a state change is in progress. */
  function note(id: SessionId, apply: (session: HostedSession) => HostedSession): Promise<HostAnswer> {
    const session = sessions.get(id);
    if (session === undefined || lanes.has(id)) return change(id, apply);
    const noted = apply(session);
    sessions.set(id, noted);
    return Promise.resolve({ type: 'done', session: noted });
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
        then?.();
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

  function holderOf(role: string, parent: SessionId | undefined): HostedSession | undefined {
    const holder = holders.get(placeOf(role, parent));
    return holder === undefined ? undefined : sessions.get(holder);
  }

  const isAsleep = ({ id, state }: HostedSession) => state === 'active' && !agents.has(id);

  function freshId(): SessionId {
    for (;;) {
      const id = ids.session();
      if (!sessions.has(id)) return id;
      logger.log('warn', `the id ${id} is taken; another one is made`, { session: id });
    }
  }

  return {
    async create({ agent, role, parent, runs = 'external', id: wanted }) {
      const holder = holderOf(role, parent);
      if (holder !== undefined) return { type: 'role-taken', role, holder: holder.id };
      const now = clock.now();
      const session: HostedSession = {
        id: wanted ?? freshId(),
        agent,
        runs,
        role,
        ...optional({ parent }),
        state: 'created',
        createdAt: now,
        lastActiveAt: now,
        messages: 0,
      };
      // Registered before it is saved, so that no other session takes its role or id.
      know(session);
      try {
        return await inLane(session.id, () => keep(session));
      } catch (error) {
        drop(session.id);
        throw error;
      }
    },
    beginSpawn: (id) => change(id, (session) => moved(session, 'spawn')),
    attachAgent: (id, agent) =>
      change(
        id,
        (session) => (isAsleep(session) ? touched(session, clock.now()) : moved(session, 'attach')),
        () => agents.set(id, agent),
      ),
    detachAgent: (id) => void agents.delete(id),
    recordHeartbeat: (id) => note(id, (session) => touched(session, clock.now())),
    incrementMessageCount: (id) =>
      note(id, (session) => ({ ...touched(session, clock.now()), messages: session.messages + 1 })),
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
        if ((await cleaner.clean(session, agents.get(id))) === 'incomplete') {
          return { type: 'cleanup-incomplete', session: id };
        }
        agents.delete(id);
        const answer = await keep(next);
        over.push(id);
        if (over.length > mostRemembered) drop(over.shift() ?? id);
        return answer;
      }),
    async forget(id) {
      await inLane(id, async () => {
        const session = sessions.get(id);
        if (session === undefined) return { type: 'unknown-session', session: id };
        await store.remove(id);
        drop(id);
        return { type: 'done', session };
      });
    },
    agentOf: (id) => agents.get(id),
    get: (id) => sessions.get(id),
    getByRole: (role, parent) => holderOf(role, parent),
    list: ({ state, agent, role } = {}) =>
      [...sessions.values()].filter(
        (session) =>
          (state === undefined || session.state === state) &&
          (agent === undefined || session.agent === agent) &&
          (role === undefined || session.role === role),
      ),
    count: (state) =>
      [...sessions.values()].filter((session) => state === undefined || session.state === state).length,
  };
}

const mostRemembered = 1000;

function placeOf(role: string, parent: SessionId | undefined): string {
  return `${parent ?? ''} ${role}`;
}

function touched(session: HostedSession, now: number): HostedSession {
  return { ...session, lastActiveAt: Math.max(session.lastActiveAt, now) };
}
