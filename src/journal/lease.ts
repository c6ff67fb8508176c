/**
 * One owner per session (`fleet.md`, O1–O9). A process holds one lease for all its sessions; a session
 * carries its owner and an epoch that grows with every claim. The journal refuses an older epoch.
 *
 * 1. A claim is a handle. Of two claims at once exactly one wins, also within one process, and a claim
 *    releases only what it took.
 * 2. A lease is a counter that its process raises. A process is gone if it is dead on this boot of this
 *    machine, or if an observer saw the same count for a whole lease on its own clock. No two clocks are
 *    compared. Taking over is a compare-and-set on the count that was seen, so a renewal in between wins.
 * 3. A session taken from an owner that didn't release it is unclean until `cleaned` or an append with
 *    `recovered`, whoever owns it by then.
 * 4. An owner counts its lease from when it sent the last successful renewal. `standing` says whether it
 *    may start effects, must wait for a renewal, or must stop.
 */
import type { SessionId } from '../kernel/ids.ts';

export interface Leases extends AsyncDisposable {
  /** This process. */
  readonly self: Owner;
  claim(session: SessionId): Promise<ClaimAnswer>;
  /** Creation is its own claim: nothing is written before the first append, which makes it hold. */
  create(session: SessionId): Claim;
  ownerOf(session: SessionId): Promise<Owner | undefined>;
  /**
   * Sessions that somebody has to claim: work in flight whose owner is gone or gave it up, a due timer,
   * a waiting letter. Never one that only waits for a person.
   */
  claimable(look: { readonly at: number; readonly limit: number }): Promise<readonly SessionId[]>;
  /** Asks the owner to hand the session over; durable, and the owner is woken. */
  requestHandOver(session: SessionId, options: HandOverOptions): Promise<void>;
  onHandOverRequested(listener: (request: HandOverRequest) => void): () => void;
  /** A session that this process asked for was released: claim it now, another may do so as well. */
  onReleased(listener: (session: SessionId) => void): () => void;
  /** Another process took this one's lease: everything owned under it must stop. */
  onLost(listener: (sessions: readonly SessionId[]) => void): () => void;
  standing(): Standing;
  onStanding(listener: (standing: Standing) => void): () => void;
  /** Called after each successful renewal with the milliseconds that effects may run without another. */
  onRenewed(listener: (forMs: number) => void): () => void;
}

/**
 * `sure`: effects may start. `unsure`: the last renewal is too long ago, after a sleep for example; effects
 * run on, and nothing starts before a renewal. `lapsed`: effects must stop; another process may own the
 * sessions soon.
 */
export type Standing = 'sure' | 'unsure' | 'lapsed';

/** The right to append to a session, until it is released or another process takes over. */
export interface Claim {
  readonly session: SessionId;
  /** Grows with every claim: a fencing token for what the owner starts. */
  readonly epoch: number;
  /** Where the first append goes. */
  readonly position: Position;
  /** An earlier owner left it without releasing it: stop what it left running before anything else. */
  readonly isUnclean: boolean;
  /** How many owners in a row didn't release it. */
  readonly fences: number;
  /** What earlier owners left behind is gone, and nothing was in flight. */
  cleaned(): Promise<void>;
  /**
   * Gives the session up; the epoch stays, so that the next owner's is higher. `isUnclean`: something of it may still
   * run here, so the next owner cleans up first.
   */
  release(left?: { readonly isUnclean: boolean }): Promise<void>;
}

declare const opaque: unique symbol;

/** A place in a session's log. Only the store that issued it understands it (O2). */
export interface Position {
  readonly [opaque]: true;
}

export type ClaimAnswer =
  | { readonly type: 'claimed'; readonly claim: Claim }
  /** By another process, or by another claim of this one. */
  | { readonly type: 'held'; readonly owner: Owner };

export interface HandOverOptions {
  /** Milliseconds after which the owner cancels what still runs. Undefined: it waits for the session to rest. */
  readonly withinMs?: number;
}

export interface HandOverRequest extends HandOverOptions {
  readonly session: SessionId;
}

export interface Owner {
  /** Unique for every process that ever opened the store. */
  readonly id: string;
  readonly pid: number;
  /** When the process started, as the system reports it; with the pid it names one process. */
  readonly startedAt: string;
  readonly bootId: string;
  readonly host: string;
}
