import { expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import { host } from '../../kernel/actor.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { newState, type State } from '../../kernel/state.ts';
import type { RepositoryPlaces } from '../../places/repository-places.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createPlaceKeeper } from './keep-places.ts';

const id = 'ses_kept' as SessionId;
const branch = 'rondo/work-1';
const place = { url: 'https://example.org/x.git', base: 'b', branch, push: true, home: 'home_1' };

/** What is recorded at the end of a turn. */
async function recordedAfter(places: Pick<RepositoryPlaces, 'save' | 'push'>): Promise<readonly unknown[]> {
  const recorded: unknown[] = [];
  const state: State = { ...newState(id), place };
  const keeper = createPlaceKeeper({
    places: async () => places as RepositoryPlaces,
    live: () => ({ state, submit: async (body: unknown) => void recorded.push(body) }) as never,
    leases: createMemoryStore().leases,
    clock: createFakeClock(),
    logger: { log: () => undefined },
  });
  const event = { type: 'turn-ended', ending: { type: 'completed' } } as const;
  keeper.saw(id, { seq: 1, at: 0, by: host, event }, state);
  await keeper.settled(id);
  return recorded;
}

const tooLarge = async () => ({ type: 'failed', message: 'The changes take 300 MB.' }) as const;
const unsaved = "Its files aren't saved for other machines: The changes take 300 MB.";

test('[C154] files that can’t be saved are recorded, and the result is pushed', async () => {
  expect(await recordedAfter({ save: tooLarge, push: async () => ({ branch, commit: 'c' }) })).toEqual([
    { type: 'push-settled', branch, commit: 'c', problem: unsaved },
  ]);
  expect(await recordedAfter({ save: tooLarge, push: async () => undefined })).toEqual([
    { type: 'push-settled', branch, problem: unsaved },
  ]);
  const refused = async () => ({ type: 'failed', message: 'The remote refused it.' }) as const;
  expect(await recordedAfter({ save: tooLarge, push: refused })).toEqual([
    { type: 'push-settled', branch, problem: `The remote refused it. ${unsaved}` },
  ]);
  expect(await recordedAfter({ save: async () => undefined, push: refused })).toEqual([
    { type: 'push-settled', branch, problem: 'The remote refused it.' },
  ]);
  expect(await recordedAfter({ save: async () => undefined, push: async () => undefined })).toEqual([]);
});

test.each([
  [0, 2000],
  [60_000_000, 122_000],
  [190_000_000, 300_000],
])('[C154] [P10] after a change, %i bytes of changes are saved again within %i ms', async (length, ms) => {
  const saved = { commit: 'c', bundle: { blob: 'b', length, preview: '' }, leftOut: [] };
  const state = { ...newState(id), place, saved } as unknown as State;
  const clock = createFakeClock();
  let saves = 0;
  const keeper = createPlaceKeeper({
    places: async () => ({ save: async () => void (saves += 1) }) as unknown as RepositoryPlaces,
    live: () => undefined,
    leases: createMemoryStore().leases,
    clock,
    logger: { log: () => undefined },
  });
  keeper.saw(id, { seq: 1, at: 0, by: host, event: { type: 'tool-settled' } as never }, state);
  const savesAfter = async (more: number) => {
    await clock.advance(more);
    await keeper.settled(id);
    return saves;
  };
  expect([await savesAfter(ms - 1), await savesAfter(1)]).toEqual([0, 1]);
});

test('[C154] [P9] a session that is left in the middle of a turn leaves no timer, until it is brought here again', async () => {
  const clock = createFakeClock();
  const phase = { type: 'turn', turn: {} } as never;
  const state: State = { ...newState(id), seq: 9, place, phase };
  const saved = { commit: 'c', bundle: {}, leftOut: [] };
  const keeper = createPlaceKeeper({
    places: async () => ({ save: async () => saved, bring: async () => undefined }) as unknown as RepositoryPlaces,
    live: () => undefined,
    leases: createMemoryStore().leases,
    clock,
    logger: { log: () => undefined },
  });
  const saw = (type: string) => keeper.saw(id, { seq: 1, at: 0, by: host, event: { type } as never }, state);
  const live = { id, state, claim: { epoch: 1 }, submit: async () => saw('files-saved') } as never;
  saw('question-opened');
  expect(clock.armed).toHaveLength(1);
  await keeper.leave(live);
  expect(clock.armed).toEqual([]);
  await keeper.bring(live);
  saw('tool-run-intended');
  expect(clock.armed).toHaveLength(1);
});
