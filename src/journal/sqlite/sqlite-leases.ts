import type { SessionId } from '../../kernel/ids.ts';
import type { Claim, ClaimAnswer, Leases, Owner } from '../../ports/lease.ts';
import { createListeners } from '../listeners.ts';
import { findClaimable } from './claimable.ts';
import type { Driver } from './driver.ts';
import { createLeaseRenewal } from './lease-renewal.ts';
import { positionAt } from '../epoch-position.ts';
import type { StoreParts } from './store-parts.ts';
import { ownerOf, type ClaimWritten, type ProcessRow, type ReleaseAnswer } from './write-lease.ts';

export interface SqliteLeases extends Leases {
  /** The first append to a new session made this process its owner. */
  claimed(session: SessionId, epoch: number): void;
  /** This process now has a job or is a node, and must be seen alive. */
  started(): void;
  /** After another process took this one's lease: starts a new one. */
  regain(): Promise<void>;
  /** The session was removed. */
  forgotten(session: SessionId): void;
}

export function createSqliteLeases(parts: StoreParts): SqliteLeases {
  const { self, read, writer, wakeUps, watch } = parts;
  const losses = createListeners<readonly SessionId[]>();
  /** Epochs of the claims held here. */
  const held = new Map<SessionId, number>();
  /** Failed releases, retried with every renewal, because nobody else can take these sessions. */
  const unreleased = new Map<SessionId, { readonly epoch: number; readonly isUnclean: boolean }>();
  /** Serializes claims of one session. */
  const claiming = new Map<SessionId, Promise<unknown>>();
  const renewal = createLeaseRenewal(parts, { onLost, onRenewed: retryReleases });

  async function claim(session: SessionId): Promise<ClaimAnswer> {
    const before = claiming.get(session);
    const mine = (async () => {
      await before?.catch(() => undefined);
      return held.has(session) ? ({ type: 'held', owner: self() } as const) : claimFree(session);
    })();
    claiming.set(session, mine);
    try {
      return await mine;
    } finally {
      if (claiming.get(session) === mine) claiming.delete(session);
    }
  }

  async function claimFree(session: SessionId): Promise<ClaimAnswer> {
    for (;;) {
      const holder = await read(`Claiming session ${session}`, (db) => holderOf(db, session));
      const isOther = holder !== undefined && holder.id !== self().id;
      const gone =
        isOther && watch.isGone(holder) ? ([holder.id, holder.beat, watch.isDead(holder)] as const) : null;
      const sentAt = renewal.now();
      const answer = (await writer.write(['claim', session, gone])) as ClaimWritten;
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
    await writer.write(['leave']);
  }

  function claimOf(
    session: SessionId,
    { epoch, isUnclean, fences }: Omit<Extract<ClaimWritten, { type: 'claimed' }>, 'type'>,
  ): Claim {
    return {
      session,
      epoch,
      position: positionAt(epoch),
      isUnclean,
      fences,
      async cleaned() {
        await writer.write(['cleaned', session, epoch]);
      },
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
    const answer = (await writer.write(['release', session, epoch, isUnclean])) as ReleaseAnswer;
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
    create: (session) => claimOf(session, { epoch: 1, isUnclean: false, fences: 0 }),
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
    ownerOf: (session) =>
      read(`Looking for the owner of session ${session}`, (db): Owner | undefined => {
        const holder = holderOf(db, session);
        return holder === undefined ? undefined : ownerOf(holder);
      }),
    claimable: (look) => findClaimable(parts, look),
    async requestHandOver(session, { withinMs }) {
      wakeUps.awaitRelease(session);
      const asked = await writer.write(['hand-over', session, withinMs ?? null]);
      if (asked === true) wakeUps.wakeOthers();
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

function holderOf(db: Driver, session: SessionId): ProcessRow | undefined {
  return db.get(selectHolder, session);
}

const selectHolder = `
  SELECT processes.* FROM sessions
  JOIN processes ON processes.number = sessions.owner WHERE sessions.id = ?`;
