import type { AgentRef } from '../kernel/agent.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { LifecycleState, TransitionError } from './lifecycle.ts';

/** A hosted session, in memory and on disk. */
export interface HostedSession {
  readonly id: SessionId;
  readonly agent: string;
  /** A model-driven agent isn't a process: it is spawned on creation and leaves nothing behind. */
  readonly runs: AgentRef['runs'];
  /** Unique among the live sessions of one parent. */
  readonly role: string;
  readonly parent?: SessionId;
  readonly state: LifecycleState;
  readonly createdAt: number;
  readonly lastActiveAt: number;
  readonly messages: number;
  /** Why it is or was terminated. */
  readonly reason?: string;
}

export type HostRefusal =
  | TransitionError
  | { readonly type: 'role-taken'; readonly role: string; readonly holder: SessionId }
  | { readonly type: 'unknown-session'; readonly session: SessionId }
  /** A clean-up step failed and can be retried. */
  | { readonly type: 'cleanup-incomplete'; readonly session: SessionId };

/** Durable before it answers. After a restart, `load` returns what is left to clean. */
export interface HostedStore {
  /** What a dead host left. */
  load(): Promise<readonly HostedSession[]>;
  save(session: HostedSession): Promise<void>;
  /** Called when nothing is left to clean. */
  remove(session: SessionId): Promise<void>;
}

/** Kept in memory, for tests and for hosts that leave nothing behind. */
export function createMemoryHostedStore(): HostedStore {
  const kept = new Map<SessionId, HostedSession>();
  return {
    load: async () => [...kept.values()],
    save: async (session) => void kept.set(session.id, session),
    remove: async (session) => void kept.delete(session),
  };
}
