/**
 * One owner a session. A process holds one lease for all its sessions; a session carries its owner
 * and an epoch that grows by one with every change of owner, and the journal refuses an older epoch.
 *
 * 1. Two claims at once: exactly one is answered `claimed`.
 * 2. A session of a process that is gone (same machine: pid and start time; else: lease lapsed) is
 *    claimed at once. `previous` then says who held it, so that what it left running can be ended first.
 * 3. A lapsed lease that nobody took may be renewed; one that was taken is lost, and said so once.
 */
import type { SessionId } from '../kernel/ids.ts';

export interface Leases extends AsyncDisposable {
  /** This process. */
  readonly self: Owner;
  claim(session: SessionId): Promise<ClaimAnswer>;
  /** Gives the session up; its epoch stays, so that the next owner's is higher. */
  release(session: SessionId, epoch: number): Promise<void>;
  ownerOf(session: SessionId): Promise<Owner | undefined>;
  /** Asks the owner to hand the session over at its next step boundary; durable, and the owner is woken. */
  requestHandOver(session: SessionId): Promise<void>;
  onHandOverRequested(listener: (session: SessionId) => void): () => void;
  /** A session that this process asked for was given up: claim it now, another may do so as well. */
  onReleased(listener: (session: SessionId) => void): () => void;
  /** The process lease was lost or taken: everything owned under it must stop. */
  onLost(listener: (sessions: readonly SessionId[]) => void): () => void;
}

export type ClaimAnswer =
  | { readonly type: 'claimed'; readonly epoch: number; readonly previous?: Owner }
  | { readonly type: 'held'; readonly owner: Owner };

export interface Owner {
  /** Unique for every process that ever opened the store. */
  readonly id: string;
  readonly pid: number;
  /** When the process started, as the system tells it; with the pid it names one process for good. */
  readonly startedAt: string;
  readonly bootId: string;
  readonly host: string;
}
