import { expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import { evolve } from '../../kernel/evolve/evolve.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { newState } from '../../kernel/state.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { loadSession, stateVersion } from './load-session.ts';

/** An unowned session of one turn, and its state folded from the journal alone. */
async function closedSession() {
  const store = createMemoryStore();
  const rondo = await rondoOfTest(testingAgent({ store }));
  const session = await rondo.sessions.create();
  await session.chat('hello');
  const { events } = await session.events({ after: 0 });
  await rondo.close();
  const other = store.another();
  const { id } = session;
  const folded = events.reduce(evolve, newState(id));
  /** Its state after half of its events, with a title that isn't in any event. */
  const half = { ...events.slice(0, 4).reduce(evolve, newState(id)), title: 'from the snapshot' };
  async function keep(version: number): Promise<number> {
    const body = JSON.stringify(half);
    const claimed = await other.leases.claim(id);
    if (claimed.type !== 'claimed') throw new Error('The session is owned.');
    await other.journal.saveSnapshot(id, { seq: half.seq, version, body }, claimed.claim);
    await claimed.claim.release();
    return body.length;
  }
  return { id, folded, half, journal: other.journal, keep };
}

test('[P1] [P11] a snapshot of another version of the state is ignored, and the journal is folded from its start', async () => {
  const { id, folded, journal, keep } = await closedSession();
  await keep(stateVersion + 1);
  expect(await loadSession(journal, id)).toEqual({ state: folded, snapshotSeq: 0, snapshotSize: 0 });
  await keep(stateVersion - 1);
  expect(await loadSession(journal, id)).toEqual({ state: folded, snapshotSeq: 0, snapshotSize: 0 });
});

test('[P10] a snapshot of this version is used, and only later events are folded', async () => {
  const { id, folded, half, journal, keep } = await closedSession();
  const size = await keep(stateVersion);
  const expected = { state: { ...folded, title: half.title }, snapshotSeq: half.seq, snapshotSize: size };
  expect(await loadSession(journal, id)).toEqual(expected);
});

test('a session without events is none', async () => {
  expect(await loadSession(createMemoryStore().journal, 'ses_none' as SessionId)).toBeUndefined();
});
