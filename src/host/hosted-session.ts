import type { AgentRef } from '../kernel/agent.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { LifecycleState, TransitionError } from './lifecycle.ts';

/** What is known of one hosted session, in memory and on disk. */
export interface HostedSession {
  readonly id: SessionId;
  readonly agent: string;
  /** A model's agent is no process: it is spawned by being created, and nothing of it is left behind. */
  readonly runs: AgentRef['runs'];
  /** Unique among the sessions of one parent that are not over. */
  readonly role: string;
  readonly parent?: SessionId;
  readonly state: LifecycleState;
  readonly createdAt: number;
  readonly lastActiveAt: number;
  readonly messages: number;
  /** Why it is being, or was, terminated. */
  readonly reason?: string;
}

export type HostRefusal =
  | TransitionError
  | { readonly type: 'role-taken'; readonly role: string; readonly holder: SessionId }
  | { readonly type: 'unknown-session'; readonly session: SessionId }
  /** A step of taking it down failed; it can be tried again. */
  | { readonly type: 'cleanup-incomplete'; readonly session: SessionId };

/** Durable before it answers; a restarted host learns from `load` what is left to clean. */
export interface HostedStore {
  /** What a host that is gone left. */
  load(): Promise<readonly HostedSession[]>;
  save(session: HostedSession): Promise<void>;
  /** Nothing of it is left to clean. */
  remove(session: SessionId): Promise<void>;
}

/** Forgets with its process; for tests and for hosts that nothing outlives. */
export function createMemoryHostedStore(): HostedStore {
  const kept = new Map<SessionId, HostedSession>();
  return {
    load: async () => [...kept.values()],
    save: async (session) => void kept.set(session.id, session),
    remove: async (session) => void kept.delete(session),
  };
}
