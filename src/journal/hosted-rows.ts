import type { SessionId } from '../kernel/ids.ts';

/**
 * What a host is in the middle of with its sessions, in the same store as their journals: durable before
 * `save` answers, so that whoever starts next knows what is left to clean.
 */
export interface HostedRows {
  /** Replaces the session's row; undefined takes it away. */
  save(session: SessionId, body: string | undefined): Promise<void>;
  /** By session. */
  load(): Promise<readonly HostedRow[]>;
}

export interface HostedRow {
  readonly session: SessionId;
  readonly body: string;
}
