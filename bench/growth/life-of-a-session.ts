/** One session of a thousand turns in SQLite, measured at 10, 100 and 1,000 turns. */
import path from 'node:path';

import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import { createTestingModel } from '../../src/models/testing-model.ts';
import { createRondo } from '../../src/rondo.ts';
import { testTool } from '../../src/testing/test-tool.ts';
import { storedTransitions } from '../../src/upkeep/journal-transitions.ts';
import { replay } from '../../src/upkeep/replay.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { medianOf } from '../harness/statistics.ts';

export interface LifeStage {
  readonly turns: number;
  /** Median milliseconds of the last ten turns. */
  readonly turnMs: number;
  /** Milliseconds from the closed store to the session's state. */
  readonly openMs: number;
  /** Bytes of the journal and the snapshot. */
  readonly bytes: number;
}

export interface Life {
  readonly stages: readonly LifeStage[];
  readonly exportMs: number;
  readonly replayMs: number;
}

const stageTurns = [10, 100, 1000];
const timedTurns = 10;

export async function measureLife(_given: object): Promise<Life> {
  using folder = createScratchFolder();
  const file = path.join(folder.path, 'rondo.db');
  const open = async () => {
    const store = await openSqliteStore({ path: file });
    const rondo = await createRondo({
      store,
      agents: { testing: { model: 'testing' } },
      models: { testing: createTestingModel() },
      tools: [testTool('look', () => 'a sight of some length '.repeat(20))],
    });
    return { store, rondo };
  };
  let here = await open();
  const { id } = await here.rondo.sessions.create({ agent: 'testing' }).then(async (created) => {
    await created.persist();
    return created;
  });
  const stages: LifeStage[] = [];
  let turn = 0;
  for (const turns of stageTurns) {
    const session = await here.rondo.sessions.open(id);
    const times: number[] = [];
    for (; turn < turns; turn += 1) {
      const started = performance.now();
      await session.chat(`call look {"turn":${turn}}\nsay turn ${turn} is done`);
      times.push(performance.now() - started);
    }
    await here.rondo.close();
    const started = performance.now();
    here = await open();
    const { state } = await here.rondo.sessions.load(id);
    const openMs = performance.now() - started;
    if (state.usage.turns !== turns) throw new Error(`The session has ${state.usage.turns} turns, not ${turns}.`);
    const bytes = (await here.store.upkeep.sizes()).get(id) ?? 0;
    stages.push({ turns, turnMs: medianOf(times.slice(-timedTurns)), openMs, bytes });
  }
  const exportMs = await timed(async () => {
    const { pieces } = await here.rondo.sessions.export(id);
    for await (const _piece of pieces);
  });
  const replayMs = await timed(async () => {
    for await (const { verdict } of replay(storedTransitions(here.store, id), { session: id })) {
      if (verdict.type !== 'equal') throw new Error('A step came out otherwise.');
    }
  });
  await here.rondo.close();
  return { stages, exportMs, replayMs };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
