import { createScratchFolder } from '../harness/scratch-folder.ts';
import { summaryOf, type Summary } from '../harness/statistics.ts';
import { openRuntime, type RuntimeName } from '../workload/runtimes.ts';
import type { TurnSession } from '../workload/turn-runtime.ts';
import { createTurnWork, runTurn } from '../workload/turn-work.ts';

const batchSize = 50;

/** New sessions of one turn each: opening counts, closing doesn't. */
export async function measureSingleTurns(given: {
  readonly runtime: RuntimeName;
  readonly warmMs: number;
  readonly runMs: number;
  /** The server, for runtimes on PostgreSQL. */
  readonly address?: string;
}): Promise<Summary & { readonly cpuMs: number; readonly turns: number }> {
  using folder = createScratchFolder();
  const work = createTurnWork();
  await using runtime = await openRuntime(given.runtime, folder.path, work, given.address);
  let times: number[] = [];
  let cpuMs = 0;
  /** With those before the measurement. */
  let turns = 0;

  async function runBatch(): Promise<void> {
    const sessions: TurnSession[] = [];
    const before = process.cpuUsage();
    for (let turn = 0; turn < batchSize; turn += 1) {
      const started = performance.now();
      const session = await runtime.openSession();
      await runTurn(session, work);
      times.push(performance.now() - started);
      sessions.push(session);
      turns += 1;
    }
    const { user, system } = process.cpuUsage(before);
    cpuMs += (user + system) / 1000;
    for (const session of sessions) await session.close();
  }

  async function runFor(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds;
    while (performance.now() < until) await runBatch();
  }

  await runFor(given.warmMs);
  times = [];
  cpuMs = 0;
  await runFor(given.runMs);
  return { ...summaryOf(times), cpuMs: cpuMs / times.length, turns };
}
