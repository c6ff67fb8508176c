import type { SessionId } from '../../kernel/ids.ts';
import type { Claim, ClaimAnswer, Leases } from '../../ports/lease.ts';
import { positionAt } from '../epoch-position.ts';
import { unmet } from '../needed-labels.ts';
import { readerVersion } from '../reader-version.ts';
import { lookAtNewest } from './read.ts';
import {
  answerAsProcess,
  free,
  leaveSeat,
  ensureSession,
  type MemorySession,
  type Seat,
  type Shared,
} from './shared.ts';

export function createMemoryLeases(shared: Shared, seat: Seat): Leases {
  function claim(id: SessionId, offers: readonly string[] | undefined): ClaimAnswer {
    const session = ensureSession(shared, id);
    const { owner } = session;
    if (seat.held.has(id)) return { type: 'held', owner: seat.owner };
    const needs = session.entry?.needs ?? [];
    if (unmet(needs, offers).length > 0)
      return { type: 'unserved', needs, ...(owner !== undefined && { owner: owner.owner }) };
    if (owner !== seat && owner?.status === 'alive') return { type: 'held', owner: owner.owner };
    session.owner = seat;
    session.epoch += 1;
    session.isLeftOpen = false;
    session.askers.clear();
    seat.held.set(id, session.epoch);
    if (owner !== undefined) {
      session.isUnclean = true;
      session.fences += 1;
    }
    lookAtNewest(session);
    if (owner !== undefined && owner !== seat) lose(shared, owner, session);
    const { epoch, isUnclean, fences } = session;
    return { type: 'claimed', claim: claimOf(id, { epoch, isUnclean, fences }) };
  }

  function claimOf(id: SessionId, given: Pick<Claim, 'epoch' | 'isUnclean' | 'fences'>): Claim {
    const { epoch } = given;
    return {
      session: id,
      ...given,
      position: positionAt(epoch),
      cleaned: () =>
        answerAsProcess(seat, () => {
          const session = shared.sessions.get(id);
          if (session?.epoch !== epoch) return;
          session.isUnclean = false;
          session.fences = 0;
        }),
      release: ({ isUnclean } = { isUnclean: false }) =>
        answerAsProcess(seat, () => release(id, epoch, isUnclean)),
    };
  }

  function release(id: SessionId, epoch: number, isUnclean: boolean): void {
    if (seat.held.get(id) === epoch) seat.held.delete(id);
    const session = shared.sessions.get(id);
    if (session?.owner !== seat || session.epoch !== epoch) return;
    session.isUnclean ||= isUnclean;
    free(session);
    const askers = [...session.askers];
    session.askers.clear();
    for (const asker of askers) asker.releases.tell(id);
  }

  function isClaimable(session: MemorySession, at: number): boolean {
    const { id, owner, isLeftOpen, inFlight, due } = session;
    if (owner?.status === 'alive') return false;
    if (owner === undefined ? isLeftOpen : inFlight) return true;
    const hasLetter = () =>
      [...shared.messages.values()].some((one) => one.session === id && one.answer === undefined);
    return (due !== undefined && due <= at) || hasLetter();
  }

  return {
    self: seat.owner,
    claim: (id, { offers } = {}) => answerAsProcess(seat, () => claim(id, offers)),
    create: (id) => claimOf(id, { epoch: 1, isUnclean: false, fences: 0 }),
    ownerOf: (id) => answerAsProcess(seat, () => shared.sessions.get(id)?.owner?.owner),
    claimable: ({ at, limit, offers }) =>
      answerAsProcess(seat, () =>
        [...shared.sessions.values()]
          .filter(
            (session) =>
              isClaimable(session, at) &&
              session.leastReader <= readerVersion &&
              unmet(session.entry?.needs ?? [], offers).length === 0,
          )
          .map(({ id, entry }) => ({ session: id, needs: entry?.needs ?? [] }))
          .slice(0, limit),
      ),
    requestHandOver: (id, { withinMs }) =>
      answerAsProcess(seat, () => {
        const session = shared.sessions.get(id);
        if (session?.owner === undefined || session.owner === seat) return;
        session.askers.add(seat);
        session.withinMs = withinMs;
        session.owner.handOvers.tell(requestFor(session));
      }),
    onHandOverRequested: (listener) => {
      // Delivers requests from before anyone listened.
      queueMicrotask(() => {
        for (const session of shared.sessions.values()) {
          if (session.owner === seat && session.askers.size > 0) listener(requestFor(session));
        }
      });
      return seat.handOvers.add(listener);
    },
    onReleased: (listener) => seat.releases.add(listener),
    onLost: (listener) => seat.losses.add(listener),
    standing: () => (seat.status === 'lapsed' ? 'lapsed' : 'sure'),
    onStanding: (listener) => seat.standings.add(listener),
    onRenewed: () => () => undefined,
    [Symbol.asyncDispose]: () => {
      leaveSeat(shared, seat, 'closed');
      return Promise.resolve();
    },
  };
}

function requestFor({ id, withinMs }: MemorySession) {
  return withinMs === undefined ? { session: id } : { session: id, withinMs };
}

/** A process loses its lease as a whole, reported once: nothing it owns is safe. */
function lose(shared: Shared, seat: Seat, taken: MemorySession): void {
  if (seat.status !== 'lapsed') return;
  const others = [...shared.sessions.values()].filter(({ owner }) => owner === seat);
  // It may claim again as a new owner. Its old sessions stay with the dead one until someone takes them.
  const gone: Seat = { ...seat, status: 'crashed' };
  for (const session of others) session.owner = gone;
  seat.status = 'alive';
  seat.held.clear();
  seat.losses.tell([taken.id, ...others.map(({ id }) => id)]);
  seat.standings.tell('sure');
}
