/**
 * One owner per session (`fleet.md`, O1–O9). A process holds one lease for all its sessions. A session has an owner
 * and an epoch that grows with every claim; the journal rejects older epochs.
 *
 * 1. A claim is a handle. If two claims compete, even within one process, exactly one wins. A claim releases only
 *    what it took.
 * 2. A lease is a counter that its process increments. A process is gone if it is dead on this boot of this
 *    machine, or if an observer saw the same count for a whole lease on its own clock. Clocks are never compared.
 *    Taking over is a compare-and-set on the seen count, so a renewal in between wins.
 * 3. A session taken from an owner that didn't release it stays unclean until `cleaned` or an append with
 *    `recovered`, even under a later owner.
 * 4. An owner counts its lease from when it sent the last successful renewal. `standing` says whether it may start
 *    effects, must wait for a renewal, or must stop.
 */
import type { SessionId } from '../kernel/ids.ts';

export interface Leases extends AsyncDisposable {
  /** This process. */
  readonly self: Owner;
  /** `offers`: this machine's labels. Absent: the caller runs nothing, so it may claim every session. */
  claim(session: SessionId, options?: { readonly offers?: readonly string[] }): Promise<ClaimAnswer>;
  /** Creation is its own claim. Nothing is written before the first append, which makes it valid. */
  create(session: SessionId): Claim;
  ownerOf(session: SessionId): Promise<Owner | undefined>;
  /**
   * Sessions that need an owner: work in flight whose owner is gone or gave up, a due timer, or a waiting letter.
   * Never one that only waits for a person, and none that needs a label which isn't offered.
   */
  claimable(look: ClaimableLook): Promise<readonly ClaimableSession[]>;
  /** Asks the owner to hand the session over. The request is durable, and the owner is woken. */
  requestHandOver(session: SessionId, options: HandOverOptions): Promise<void>;
  onHandOverRequested(listener: (request: HandOverRequest) => void): () => void;
  /** A requested session was released. Claim it now; others may too. */
  onReleased(listener: (session: SessionId) => void): () => void;
  /** Another process took this one's lease: everything owned under it must stop. */
  onLost(listener: (sessions: readonly SessionId[]) => void): () => void;
  standing(): Standing;
  onStanding(listener: (standing: Standing) => void): () => void;
  /** Called after each successful renewal with the milliseconds that effects may run without another one. */
  onRenewed(listener: (forMs: number) => void): () => void;
}

export interface ClaimableLook {
  readonly at: number;
  readonly limit: number;
  /** This machine's labels. Absent: all of them. */
  readonly offers?: readonly string[];
}

export interface ClaimableSession {
  readonly session: SessionId;
  /** Labels that its agent and its tools require. */
  readonly needs: readonly string[];
}

/**
 * `sure`: effects may start. `unsure`: the last renewal is too old, for example after sleep; running effects
 * continue, and nothing starts before a renewal. `lapsed`: effects must stop, because another process may soon own
 * the sessions.
 */
export type Standing = 'sure' | 'unsure' | 'lapsed';

/** The right to append to a session, until it is released or another process takes over. */
export interface Claim {
  readonly session: SessionId;
  /** Grows with every claim: a fencing token for the owner's effects. */
  readonly epoch: number;
  /** The position of the first append. */
  readonly position: Position;
  /** An earlier owner didn't release it: stop what it left running first. */
  readonly isUnclean: boolean;
  /** Consecutive owners that didn't release it. */
  readonly fences: number;
  /** Nothing of earlier owners is running or in flight. */
  cleaned(): Promise<void>;
  /**
   * Releases the session. The epoch stays, so that the next owner's is higher. `isUnclean`: something may still run
   * here, so the next owner cleans up first.
   */
  release(left?: { readonly isUnclean: boolean }): Promise<void>;
}

declare const opaque: unique symbol;

/** A position in a session's log, understood only by the store that issued it (O2). */
export interface Position {
  readonly [opaque]: true;
}

export type ClaimAnswer =
  | { readonly type: 'claimed'; readonly claim: Claim }
  /** By another process, or by another claim in this one. */
  | { readonly type: 'held'; readonly owner: Owner }
  /** It needs labels that aren't offered. Nothing was claimed. `owner`: the one that has it now. */
  | { readonly type: 'unserved'; readonly needs: readonly string[]; readonly owner?: Owner };

interface HandOverOptions {
  /** Milliseconds after which the owner cancels running work. Undefined: it waits until the session is idle. */
  readonly withinMs?: number;
}

export interface HandOverRequest extends HandOverOptions {
  readonly session: SessionId;
}

export interface Owner {
  /** Unique among all processes that ever opened the store. */
  readonly id: string;
  readonly pid: number;
  /** The process's start time from the system; with the pid it identifies one process. */
  readonly startedAt: string;
  readonly bootId: string;
  readonly host: string;
}
