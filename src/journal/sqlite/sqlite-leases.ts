import type { SessionId } from '../../kernel/ids.ts';
import type { ClaimAnswer, Leases, Owner } from '../lease.ts';
import { createListeners } from '../listeners.ts';
import type { Driver } from './driver.ts';
import type { StoreParts } from './store-parts.ts';
import { ownerOf, type ProcessRow, type ReleaseAnswer } from './write-lease.ts';

export interface SqliteLeases extends Leases {
  /** The first append to a new session made this process its owner. */
  claimed(session: SessionId): void;
  /** A job belongs to this process, which from now on has to be seen alive. */
  claimedJob(): void;
  /** The session is no more. */
  forgotten(session: SessionId): void;
}

export function createSqliteLeases(parts: StoreParts): SqliteLeases {
  const { self, read, writer, wakeUps, clock, leaseMs } = parts;
  const losses = createListeners<readonly SessionId[]>();
  const held = new Set<SessionId>();
  let hasJobs = false;
  let stopRenewing: (() => void) | undefined;

  async function claim(session: SessionId): Promise<ClaimAnswer> {
    for (;;) {
      const holder = await read(`Claiming session ${session}`, (db) => holderOf(db, session));
      if (holder !== undefined && holder.id === self().id && holder.taken === 0 && held.has(session)) {
        return { type: 'claimed', epoch: holder.epoch };
      }
      const gone = holder !== undefined && holder.id !== self().id && isGone(holder) ? holder.id : null;
      const answer = (await writer.write(['claim', session, gone])) as ClaimAnswer | 'lost';
      if (answer === 'lost') {
        await renew();
      } else if (answer.type === 'claimed') {
        own(session);
        return answer;
      } else if (answer.owner.id === holder?.id) {
        return answer;
      }
      // Somebody else came in between: judge the new owner, too.
    }
  }

  function isGone(holder: ProcessRow): boolean {
    return holder.taken === 1 || parts.isGone(ownerOf(holder), { isLapsed: holder.expires_at < clock.now() });
  }

  function own(session: SessionId): void {
    held.add(session);
    wakeUps.setOwning(true);
    keepRenewing();
  }

  function keepRenewing(): void {
    stopRenewing ??= clock.every(leaseMs / 3, () => void renewQuietly());
  }

  function disown(session: SessionId): void {
    held.delete(session);
    if (held.size > 0) return;
    wakeUps.setOwning(false);
    if (hasJobs) return;
    stopRenewing?.();
    stopRenewing = undefined;
  }

  async function renew(): Promise<void> {
    const answer = await writer.write(['renew']);
    if (answer === 'renewed' || held.size === 0) return;
    const lost = [...held];
    for (const session of lost) disown(session);
    losses.tell(lost);
  }

  /** A renewal that fails is tried again by the next; whoever takes the lease meanwhile fences our appends. */
  async function renewQuietly(): Promise<void> {
    await renew().catch(() => undefined);
  }

  return {
    get self() {
      return self();
    },
    claim,
    claimed: own,
    claimedJob() {
      hasJobs = true;
      keepRenewing();
    },
    forgotten: disown,
    async release(session, epoch) {
      const answer = (await writer.write(['release', session, epoch])) as ReleaseAnswer;
      if (answer !== 'not-owned') disown(session);
      if (answer === 'handed-over') wakeUps.wakeOthers();
    },
    ownerOf: (session) =>
      read(`Looking for the owner of session ${session}`, (db): Owner | undefined => {
        const holder = holderOf(db, session);
        return holder === undefined ? undefined : ownerOf(holder);
      }),
    async requestHandOver(session) {
      wakeUps.awaitRelease(session);
      const asked = await writer.write(['hand-over', session]);
      if (asked === true) wakeUps.wakeOthers();
      else wakeUps.look();
    },
    onHandOverRequested: (listener) => wakeUps.onHandOver(listener),
    onReleased: (listener) => wakeUps.onReleased(listener),
    onLost: (listener) => losses.add(listener),
    [Symbol.asyncDispose]: async () => {
      stopRenewing?.();
      await parts.close();
    },
  };
}

function holderOf(db: Driver, session: SessionId): (ProcessRow & { readonly epoch: number }) | undefined {
  return db.get(selectHolder, session);
}

const selectHolder = `
  SELECT processes.*, sessions.epoch FROM sessions
  JOIN processes ON processes.number = sessions.owner WHERE sessions.id = ?`;
