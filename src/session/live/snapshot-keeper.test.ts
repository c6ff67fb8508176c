import { expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { newState } from '../../kernel/state.ts';
import { flushSnapshot, keepSnapshot, type SnapshotKeeper } from './snapshot-keeper.ts';

/** The lengths of the snapshots of a session that receives this many events in sequence. */
function snapshotsOf(events: number, title: string): readonly { readonly seq: number; readonly length: number }[] {
  const saved: { seq: number; length: number }[] = [];
  const { journal } = createMemoryStore();
  const counting = {
    ...journal,
    saveSnapshot: async (_: SessionId, { seq, body }: { readonly seq: number; readonly body: string }) =>
      void saved.push({ seq, length: body.length }),
  };
  const keeper: SnapshotKeeper = { kept: 0, size: 0, saving: undefined };
  const state = { ...newState('ses_1' as SessionId), title };
  for (let seq = 1; seq <= events; seq += 1) keepSnapshot(keeper, counting, { epoch: 1 }, { ...state, seq });
  return saved;
}

test('[P10] a small state is kept often, however long its session: what is folded on opening stays short', () => {
  const seqs = snapshotsOf(100_000, 'small').map(({ seq }) => seq);
  expect(seqs).toEqual(Array.from({ length: Math.floor(100_000 / 256) }, (_, index) => (index + 1) * 256));
});

test('[P10] snapshots of a large state write only a few characters per event in total', () => {
  const saved = snapshotsOf(100_000, 'x'.repeat(200_000));
  const written = saved.reduce((sum, { length }) => sum + length, 0);
  // The first snapshot comes on top: it is due before any length is known.
  expect(written - (saved[0]?.length ?? 0)).toBeLessThanOrEqual(16 * 100_000);
  expect(saved).toHaveLength(8);
});

test('[P10] a session that is left keeps a snapshot where half of the least interval has passed', async () => {
  const saved: number[] = [];
  const { journal } = createMemoryStore();
  const noting = {
    ...journal,
    saveSnapshot: async (_: SessionId, { seq }: { seq: number }) => void saved.push(seq),
  };
  const keeper: SnapshotKeeper = { kept: 0, size: 0, saving: undefined };
  const state = newState('ses_1' as SessionId);
  for (const seq of [127, 128, 255, 256]) await flushSnapshot(keeper, noting, { epoch: 1 }, { ...state, seq });
  expect(saved).toEqual([128, 256]);
});
