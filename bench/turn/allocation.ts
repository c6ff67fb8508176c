import { collectGarbage } from '../harness/collect-garbage.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { sleep } from '../harness/sleep.ts';
import { openRuntime, type RuntimeName } from '../workload/runtimes.ts';
import type { TurnSession } from '../workload/turn-runtime.ts';
import { createTurnWork, runTurn } from '../workload/turn-work.ts';

/** Large enough that nothing is collected while turns run, so heap growth equals allocation. */
export const allocationFlags = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512'];

const samples = 7;
const turnsInSample = 20;

/** Bytes the main thread allocates for a new session and its one turn: the minimum of several samples. */
export async function measureAllocation(given: {
  readonly runtime: RuntimeName;
}): Promise<{ readonly bytes: number }> {
  using folder = createScratchFolder();
  const work = createTurnWork();
  await using runtime = await openRuntime(given.runtime, folder.path, work);

  async function runTurns(count: number): Promise<readonly TurnSession[]> {
    const sessions: TurnSession[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      const session = await runtime.openSession();
      await runTurn(session, work);
      sessions.push(session);
    }
    return sessions;
  }

  for (const session of await runTurns(400)) await session.close();
  const grown: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    collectGarbage();
    await sleep(20);
    const before = process.memoryUsage().heapUsed;
    const sessions = await runTurns(turnsInSample);
    grown.push((process.memoryUsage().heapUsed - before) / turnsInSample);
    for (const session of sessions) await session.close();
  }
  return { bytes: Math.min(...grown.filter((bytes) => bytes > 0)) };
}
