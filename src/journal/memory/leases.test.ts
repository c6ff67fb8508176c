import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { directoryEntry, record, request } from '../../testing/contracts/journal-samples.ts';
import { createMemoryStore, type MemoryStore } from '../memory-store.ts';

const [mine, asked, theirs] = ['ses_mine', 'ses_asked', 'ses_theirs'] as SessionId[] as [
  SessionId,
  SessionId,
  SessionId,
];

async function claimed(store: MemoryStore, session: SessionId) {
  const answer = await store.leases.claim(session);
  if (answer.type !== 'claimed') throw new Error(`${session} is held.`);
  return answer.claim;
}

test('[O7] an owner that listens late learns of the requests for its own sessions, and of no others', async () => {
  const store = createMemoryStore();
  const other = store.another();
  await claimed(store, mine);
  await claimed(store, asked);
  await claimed(other, theirs);
  await other.leases.requestHandOver(asked, { withinMs: 5 });
  await store.leases.requestHandOver(theirs, { withinMs: 6 });
  await store.leases.requestHandOver(mine, { withinMs: 7 });
  const notices: unknown[] = [];
  const stop = store.leases.onHandOverRequested((asking) => notices.push(asking));
  await Promise.resolve();
  await Promise.resolve();
  expect(notices).toEqual([{ session: asked, withinMs: 5 }]);
  stop();
  await other.leases.requestHandOver(mine, {});
  expect(notices).toHaveLength(1);
});

test('[O5] a process that slept learns once what it lost, and may then claim again', async () => {
  const store = createMemoryStore();
  const other = store.another();
  for (const session of [mine, asked]) {
    const claim = await claimed(store, session);
    await store.journal.append({ ...request(0, [record('a')], { session }), position: claim.position });
  }
  const notices: unknown[] = [];
  store.leases.onLost((lost) => notices.push([...lost].toSorted()));
  store.leases.onStanding((standing) => notices.push(standing));
  store.lapse();
  expect(store.leases.standing()).toBe('lapsed');
  await claimed(other, mine);
  expect(notices).toEqual(['lapsed', [asked, mine], 'sure']);
  expect(store.leases.standing()).toBe('sure');
  await claimed(other, asked);
  expect(notices).toHaveLength(3);
  expect((await claimed(store, theirs)).epoch).toBe(1);
});

test('[O9] sessions are claimable that were left open, whose owner is gone in the middle of work, or that are due', async () => {
  const store = createMemoryStore();
  const gone = store.another();
  const at = (session: SessionId, more: object) =>
    claimed(gone, session).then((claim) =>
      gone.journal.append({
        ...request(0, [record('a')], {
          session,
          projection: { entry: directoryEntry(session), inFlight: false, ...more },
        }),
        position: claim.position,
      }),
    );
  await at(mine, { inFlight: true });
  await at(asked, { due: 50 });
  await at(theirs, {});
  const claimable = (time: number, limit = 10) =>
    store.leases.claimable({ at: time, limit }).then((all) => all.map(({ session }) => session));
  expect(await claimable(100)).toEqual([]);
  gone.crash();
  expect([await claimable(49), await claimable(50), await claimable(50, 1)]).toEqual([
    [mine],
    [mine, asked],
    [mine],
  ]);
  await store.inbox.put(theirs, { key: 'k', body: '{}' });
  expect(await claimable(0)).toEqual([mine, theirs]);
});
