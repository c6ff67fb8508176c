/**
 * Starts and ends agents. Stopped at any instant, it leaves nothing behind: an agent that starts after its session
 * ended is ended by its starter.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { HostAnswer, HostedSessions } from './hosted-sessions.ts';
import type { HostRefusal } from './hosted-session.ts';

export interface Spawner<Agent> {
  /** The signal aborts if the session ends during the spawn, which then leaves nothing behind and rejects. */
  spawn(session: SessionId, signal: AbortSignal): Promise<Agent>;
  /** Ends an agent that couldn't be attached. */
  end(agent: Agent): Promise<void>;
}

/** Starts hosted sessions with their agents and ends them with everything they own. */
export interface HostedAgents<Agent> {
  /** Resolves with the agent attached. A failed spawn terminates and cleans the session. */
  start(wanted: Parameters<HostedSessions<Agent>['create']>[0]): Promise<HostAnswer | SpawnFailed>;
  /**
   * Starts the agent of a known session: the first one, or a replacement. After a failure the session stays
   * `spawning` until it is retried, forgotten or terminated.
   */
  bringUp(session: SessionId, spawner?: Spawner<Agent>): Promise<HostAnswer | SpawnFailed>;
  /** Terminates and cleans, from any state. */
  terminate(session: SessionId, reason: string): Promise<HostAnswer>;
  /** Finishes what an earlier process left. None of its agents is alive. */
  cleanLeftovers(): Promise<readonly SessionId[]>;
}

interface SpawnFailed {
  readonly type: 'spawn-failed';
  readonly session: SessionId;
  readonly message: string;
}

/** Spawns and ends the agents of hosted sessions. */
export function createHostedAgents<Agent>(
  hosted: HostedSessions<Agent>,
  spawner: Spawner<Agent>,
): HostedAgents<Agent> {
  const spawning = new Map<SessionId, { readonly controller: AbortController; readonly done: Promise<unknown> }>();

  async function spawnAndAttach(
    id: SessionId,
    by: Spawner<Agent>,
    signal: AbortSignal,
  ): Promise<HostAnswer | SpawnFailed> {
    const state = hosted.get(id)?.state;
    if (state !== 'active' && state !== 'spawning') {
      const begun = await hosted.beginSpawn(id);
      if (begun.type !== 'done') return begun;
    }
    let agent: Agent;
    try {
      agent = await by.spawn(id, signal);
    } catch (error) {
      return { type: 'spawn-failed', session: id, message: (error as Error).message };
    }
    const attached = await hosted.attachAgent(id, agent);
    if (attached.type !== 'done') await by.end(agent);
    return attached;
  }

  async function bringUp(id: SessionId, by: Spawner<Agent> = spawner): Promise<HostAnswer | SpawnFailed> {
    const controller = new AbortController();
    const up = spawnAndAttach(id, by, controller.signal);
    const entry = { controller, done: up.catch(() => undefined) };
    spawning.set(id, entry);
    try {
      return await up;
    } finally {
      if (spawning.get(id) === entry) spawning.delete(id);
    }
  }

  async function terminate(session: SessionId, reason: string): Promise<HostAnswer> {
    const marked = await hosted.markTerminating(session, reason);
    if (marked.type !== 'done' && !isOver(marked)) return marked;
    const starting = spawning.get(session);
    starting?.controller.abort();
    await starting?.done;
    return hosted.completeCleanup(session);
  }

  return {
    async start(wanted) {
      const created = await hosted.create(wanted);
      if (created.type !== 'done') return created;
      const { id } = created.session;
      const answer = await bringUp(id);
      if (answer.type === 'spawn-failed') await terminate(id, answer.message);
      return answer;
    },
    bringUp,
    terminate,
    async cleanLeftovers() {
      const left = hosted.list().filter(({ state }) => state !== 'cleaned');
      await Promise.all(left.map(({ id }) => terminate(id, 'its server ended')));
      return left.map(({ id }) => id);
    },
  };
}

/** Already cleaned: ending it again is fine. */
function isOver(refusal: HostRefusal): boolean {
  return refusal.type === 'transition-error' && refusal.state === 'cleaned';
}
