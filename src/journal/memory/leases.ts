import type { SessionId } from '../../kernel/ids.ts';
import type { ClaimAnswer, Leases } from '../lease.ts';
import { lookAtNewest } from './read.ts';
import { answer, leaveSeat, sessionRow, type MemorySession, type Seat, type Shared } from './shared.ts';

export function createMemoryLeases(shared: Shared, seat: Seat): Leases {
  function claim(id: SessionId): ClaimAnswer {
    const session = sessionRow(shared, id);
    const { owner } = session;
    if (owner === seat) return { type: 'claimed', epoch: session.epoch };
    if (owner?.status === 'alive') return { type: 'held', owner: owner.owner };
    session.owner = seat;
    session.epoch += 1;
    session.askers.clear();
    lookAtNewest(session);
    if (owner !== undefined) lose(shared, owner, session);
    return { type: 'claimed', epoch: session.epoch, ...(owner !== undefined && { previous: owner.owner }) };
  }

  function release(id: SessionId, epoch: number): void {
    const session = shared.sessions.get(id);
    if (session?.owner !== seat || session.epoch !== epoch) return;
    session.owner = undefined;
    const askers = [...session.askers];
    session.askers.clear();
    for (const asker of askers) asker.releases.tell(id);
  }

  return {
    self: seat.owner,
    claim: (id) => answer(seat, () => claim(id)),
    release: (id, epoch) => answer(seat, () => release(id, epoch)),
    ownerOf: (id) => answer(seat, () => shared.sessions.get(id)?.owner?.owner),
    requestHandOver: (id) =>
      answer(seat, () => {
        const session = shared.sessions.get(id);
        if (session?.owner === undefined || session.owner === seat) return;
        session.askers.add(seat);
        session.owner.handOvers.tell(id);
      }),
    onHandOverRequested: (listener) => {
      // What was requested before anybody listened is still wanted.
      queueMicrotask(() => {
        for (const { id, owner, askers } of shared.sessions.values()) {
          if (owner === seat && askers.size > 0) listener(id);
        }
      });
      return seat.handOvers.add(listener);
    },
    onReleased: (listener) => seat.releases.add(listener),
    onLost: (listener) => seat.losses.add(listener),
    [Symbol.asyncDispose]: () => {
      leaveSeat(shared, seat, 'closed');
      return Promise.resolve();
    },
  };
}

/** The lease of a process is lost as a whole, and said so once: nothing it still owns is safe. */
function lose(shared: Shared, seat: Seat, taken: MemorySession): void {
  if (seat.status !== 'lapsed') return;
  const others = [...shared.sessions.values()].filter(({ owner }) => owner === seat);
  for (const session of others) session.owner = undefined;
  seat.status = 'alive';
  seat.losses.tell([taken.id, ...others.map(({ id }) => id)]);
}
