import type { SessionId } from '../kernel/ids.ts';

/**
 * A host's work in progress, in the same store as its sessions. Durable before `save` answers, so that the next
 * host knows what is left to clean.
 */
export interface HostedRows {
  /** Replaces the session's row; undefined deletes it. */
  save(session: SessionId, body: string | undefined): Promise<void>;
  /** By session. */
  load(): Promise<readonly HostedRow[]>;
}

export interface HostedRow {
  readonly session: SessionId;
  readonly body: string;
}
