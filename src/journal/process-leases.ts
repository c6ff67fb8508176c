/** The leases of one process, over the rows of any shared store. */
import type { SessionId } from '../kernel/ids.ts';
import type { Claim, ClaimAnswer, HandOverRequest, Leases, Owner, Position } from '../ports/lease.ts';
import { unmet } from './needed-labels.ts';
import { createLeaseRenewal } from './lease-renewal.ts';
import { createListeners } from './listeners.ts';
import type { OwnerWatch } from './owner-watch.ts';
import { ownerOf, type ClaimWritten, type GoneOwner, type ProcessRow, type ReleaseAnswer } from './process-row.ts';
import type { StoreClock } from './store-clock.ts';

/** What a store does for leases. Each operation is one transaction. */
export interface LeaseRows {
  holder(session: SessionId): Promise<SessionHolder>;
  /** Takes a session that is free, whose owner is `gone`, or whose handle this process lost. */
  claim(session: SessionId, gone: GoneOwner | null): Promise<ClaimWritten>;
  cleaned(session: SessionId, epoch: number): Promise<void>;
  release(session: SessionId, epoch: number, isUnclean: boolean): Promise<ReleaseAnswer>;
  /** Returns the incremented count. */
  renew(): Promise<number | 'lost'>;
  /** Frees everything this process owns. */
  leave(): Promise<void>;
  /** True if there is an owner to ask. */
  requestHandOver(session: SessionId, withinMs: number | null): Promise<boolean>;
  readonly claimable: Leases['claimable'];
  /** The position of a new session's first append. */
  readonly start: Position;
}

interface SessionHolder {
  readonly holder: ProcessRow | undefined;
  readonly needs: readonly string[];
}

/** News about other processes. */
interface LeaseWakeUps {
  setOwning(isOwning: boolean): void;
  awaitRelease(session: SessionId): void;
  wakeOthers(): void;
  look(): void;
  onHandOver(listener: (request: HandOverRequest) => void): () => void;
  onReleased(listener: (session: SessionId) => void): () => void;
}

interface LeaseParts {
  readonly self: () => Owner;
  readonly rows: LeaseRows;
  readonly wakeUps: LeaseWakeUps;
  readonly watch: OwnerWatch;
  readonly clock: StoreClock;
  readonly leaseMs: number;
  readonly close: () => Promise<void>;
}

export interface ProcessLeases extends Leases {
  /** The first append to a new session made this process its owner. */
  claimed(session: SessionId, epoch: number): void;
  /** This process now has a job or is a node, and must be seen alive. */
  started(): void;
  /** After another process took this one's lease: starts a new one. */
  regain(): Promise<void>;
  /** The session was removed. */
  forgotten(session: SessionId): void;
}

type ClaimOptions = NonNullable<Parameters<Leases['claim']>[1]>;

export function createProcessLeases(parts: LeaseParts): ProcessLeases {
  const { self, rows, wakeUps, watch, clock, leaseMs } = parts;
  const losses = createListeners<readonly SessionId[]>();
  /** Epochs of the claims held here. */
  const held = new Map<SessionId, number>();
  /** Failed releases, retried with every renewal, because nobody else can take these sessions. */
  const unreleased = new Map<SessionId, { readonly epoch: number; readonly isUnclean: boolean }>();
  /** Serializes claims of one session. */
  const claiming = new Map<SessionId, Promise<unknown>>();
  const renewal = createLeaseRenewal(
    { renew: () => rows.renew(), clock, leaseMs },
    { onLost, onRenewed: retryReleases },
  );

  async function claim(session: SessionId, { offers }: ClaimOptions = {}): Promise<ClaimAnswer> {
    const before = claiming.get(session);
    const mine = (async () => {
      await before?.catch(() => undefined);
      return held.has(session) ? ({ type: 'held', owner: self() } as const) : claimFree(session, offers);
    })();
    claiming.set(session, mine);
    try {
      return await mine;
    } finally {
      if (claiming.get(session) === mine) claiming.delete(session);
    }
  }

  async function claimFree(session: SessionId, offers: ClaimOptions['offers']): Promise<ClaimAnswer> {
    for (;;) {
      const { holder, needs } = await rows.holder(session);
      if (unmet(needs, offers).length > 0)
        return { type: 'unserved', needs, ...(holder !== undefined && { owner: ownerOf(holder) }) };
      const isOther = holder !== undefined && holder.id !== self().id;
      const gone =
        isOther && watch.isGone(holder) ? ([holder.id, holder.beat, watch.isDead(holder)] as const) : null;
      const sentAt = renewal.now();
      const answer = await rows.claim(session, gone);
      if (answer === 'lost') {
        await regain();
      } else if (answer.type === 'claimed') {
        renewal.start(sentAt);
        own(session, answer.epoch);
        return { type: 'claimed', claim: claimOf(session, answer) };
      } else if (gone === null && answer.owner.id === holder?.id) {
        return answer;
      }
      // Another owner came first, or this one renewed its lease: check again.
    }
  }

  async function regain(): Promise<void> {
    await renewal.renew();
    await rows.leave();
  }

  function claimOf(
    session: SessionId,
    { epoch, isUnclean, fences, position }: Omit<Extract<ClaimWritten, { type: 'claimed' }>, 'type'>,
  ): Claim {
    return {
      session,
      epoch,
      position,
      isUnclean,
      fences,
      cleaned: () => rows.cleaned(session, epoch),
      release: ({ isUnclean } = { isUnclean: false }) => release(session, epoch, isUnclean),
    };
  }

  function own(session: SessionId, epoch: number): void {
    held.set(session, epoch);
    unreleased.delete(session);
    wakeUps.setOwning(true);
  }

  function disown(session: SessionId): void {
    held.delete(session);
    if (held.size === 0) wakeUps.setOwning(false);
  }

  async function release(session: SessionId, epoch: number, isUnclean: boolean): Promise<void> {
    if (held.get(session) !== epoch) return;
    disown(session);
    unreleased.set(session, { epoch, isUnclean });
    await tryRelease(session, epoch, isUnclean);
  }

  async function tryRelease(session: SessionId, epoch: number, isUnclean: boolean): Promise<void> {
    const answer = await rows.release(session, epoch, isUnclean);
    if (unreleased.get(session)?.epoch === epoch) unreleased.delete(session);
    if (answer === 'handed-over') wakeUps.wakeOthers();
  }

  function retryReleases(): void {
    for (const [session, { epoch, isUnclean }] of unreleased) {
      tryRelease(session, epoch, isUnclean).catch(() => undefined);
    }
  }

  function onLost(): void {
    const lost = [...held.keys()];
    for (const session of lost) disown(session);
    unreleased.clear();
    if (lost.length > 0) losses.tell(lost);
  }

  return {
    get self() {
      return self();
    },
    claim,
    create: (session) => claimOf(session, { epoch: 1, isUnclean: false, fences: 0, position: rows.start }),
    claimed(session, epoch) {
      renewal.start(renewal.now());
      own(session, epoch);
    },
    started: () => renewal.start(renewal.now()),
    regain,
    forgotten(session) {
      unreleased.delete(session);
      disown(session);
    },
    async ownerOf(session) {
      const { holder } = await rows.holder(session);
      return holder === undefined ? undefined : ownerOf(holder);
    },
    claimable: (look) => rows.claimable(look),
    async requestHandOver(session, { withinMs }) {
      wakeUps.awaitRelease(session);
      const isAsked = await rows.requestHandOver(session, withinMs ?? null);
      if (isAsked) wakeUps.wakeOthers();
      else wakeUps.look();
    },
    onHandOverRequested: (listener) => wakeUps.onHandOver(listener),
    onReleased: (listener) => wakeUps.onReleased(listener),
    onLost: (listener) => losses.add(listener),
    standing: renewal.standing,
    onStanding: renewal.onStanding,
    onRenewed: renewal.onRenewed,
    [Symbol.asyncDispose]: async () => {
      renewal.stop();
      await parts.close();
    },
  };
}
