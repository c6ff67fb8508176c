import type { SessionId } from '../kernel/ids.ts';
import type { LifecycleState, TransitionError } from './lifecycle.ts';

/** What is known of one hosted session, in memory and on disk. */
export interface HostedSession {
  readonly id: SessionId;
  readonly agent: string;
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
  | { readonly type: 'unknown-session'; readonly session: SessionId };

/** Durable before `save` answers; a restarted host learns from `load` what is left to clean. */
export interface HostedStore {
  load(): Promise<readonly HostedSession[]>;
  save(session: HostedSession): Promise<void>;
}

/** Forgets with its process; for tests and for hosts that nothing outlives. */
export function createMemoryHostedStore(): HostedStore {
  const kept = new Map<SessionId, HostedSession>();
  return {
    load: async () => [...kept.values()],
    save: async (session) => void kept.set(session.id, session),
  };
}
