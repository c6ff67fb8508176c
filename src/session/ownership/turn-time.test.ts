import { describe, expect, test } from 'vitest';

import { createMemoryStore, type MemoryStore } from '../../journal/memory-store.ts';
import { createTestingModel } from '../../models/testing-model.ts';
import type { Store } from '../../ports/store.ts';
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';

const minute = 60_000;
const hour = 60 * minute;

const untilCancelled: Parameters<typeof testTool>[1] = async (_, { signal }) => {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return { type: 'cancelled' };
};

const openRondo = (store: Store, clock: FakeClock) =>
  rondoOfTest({
    store,
    clock,
    agents: { worker: { model: 'testing' } },
    models: { testing: createTestingModel() },
    tools: [testTool('wait', untilCancelled, { repeat: 'safe' })],
    killOrphans: async () => undefined,
  });

/** Another process on the store, after a reboot of the machine. */
const rebooted = (seat: MemoryStore): Store => {
  const { self } = seat.leases;
  return { ...seat, leases: { ...seat.leases, self: { ...self, bootId: 'another boot' } } };
};

/** A turn of at most ten minutes. After six of them its process dies, and the clock is set. */
async function turnOfDeadProcess(setBy: number) {
  const clock = createFakeClock();
  const seat = createMemoryStore();
  const rondo = await openRondo(seat, clock);
  const { id, send } = await rondo.sessions.create({ limits: { wallTimeMs: 10 * minute } });
  await send({ type: 'chat', text: 'call wait {}\nsay done' });
  await clock.advance(6 * minute);
  seat.crash();
  clock.set(setBy);
  return { clock, seat, id };
}

describe("a turn's time", () => {
  test.each([-hour, -minute, 0, minute, hour])(
    '[O5] counts on a clock that nobody can set: by %i ms before another process takes over',
    async (setBy) => {
      const { clock, seat, id } = await turnOfDeadProcess(setBy);
      const other = await openRondo(seat.another(), clock);
      await other.adopt();
      await clock.advance(3 * minute + 50_000);
      const session = await other.sessions.open(id);
      expect((await session.status()).lifecycle).toBe('running');
      await clock.advance(11_000);
      expect((await session.status()).lifecycle).toBe('idle');
      expect((await session.events({ after: 0 })).events.at(-1)?.event).toEqual({
        type: 'turn-ended',
        ending: { type: 'timed-out', message: 'The turn reached its limit of 600000 ms.' },
      });
    },
  );

  test.each([
    { setBy: -hour, leftMs: 10 * minute },
    { setBy: 0, leftMs: 4 * minute },
    { setBy: hour, leftMs: 0 },
  ])(
    '[O5] goes by the time of day after a reboot, and never beyond the limit: set by $setBy ms',
    async ({ setBy, leftMs }) => {
      const { clock, seat, id } = await turnOfDeadProcess(setBy);
      const other = await openRondo(rebooted(seat.another()), clock);
      await other.adopt();
      const session = await other.sessions.open(id);
      await clock.advance(Math.max(0, leftMs - 10_000));
      expect((await session.status()).lifecycle).toBe(leftMs === 0 ? 'idle' : 'running');
      await clock.advance(11_000);
      expect((await session.status()).lifecycle).toBe('idle');
    },
  );
});
