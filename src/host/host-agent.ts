/**
 * Bringing an agent up and taking it down. Whatever instant it is stopped at, nothing of it is left: an agent
 * that came up after its session was ended is ended by whoever brought it.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { HostAnswer, HostedSessions } from './hosted-sessions.ts';
import type { HostRefusal } from './hosted-session.ts';

export interface Spawner<Agent> {
  /** Aborted where the session is ended meanwhile; it then leaves nothing behind and rejects. */
  spawn(session: SessionId, signal: AbortSignal): Promise<Agent>;
  /** Ends an agent that could not be attached. */
  end(agent: Agent): Promise<void>;
}

/** Hosted sessions as a whole: started with their agent, ended with everything that belongs to them. */
export interface HostedAgents<Agent> {
  /** Up to the attached agent. A spawn that fails terminates and cleans the session. */
  start(wanted: Parameters<HostedSessions<Agent>['create']>[0]): Promise<HostAnswer | SpawnFailed>;
  /**
   * The agent of a session that is known: its first one, or another in the place of one that is gone. Where that
   * fails the session stays spawning until it is tried again, forgotten or terminated.
   */
  bringUp(session: SessionId, spawner?: Spawner<Agent>): Promise<HostAnswer | SpawnFailed>;
  /** Down to the cleaned session, from wherever it is. */
  terminate(session: SessionId, reason: string): Promise<HostAnswer>;
  /** Finishes what an earlier process left: none of its agents lives. */
  cleanLeftovers(): Promise<readonly SessionId[]>;
}

export interface SpawnFailed {
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

/** Cleaned already: ending it once more is no mistake. */
function isOver(refusal: HostRefusal): boolean {
  return refusal.type === 'transition-error' && refusal.state === 'cleaned';
}
