import { collectGarbage } from '../harness/collect-garbage.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { summaryOf } from '../harness/statistics.ts';
import { openRuntime, type RuntimeName } from '../workload/runtimes.ts';
import { createTurnWork, finalText, userText } from '../workload/turn-work.ts';
import { openSessions, warmUp } from './open-sessions.ts';

export interface ManyTurns {
  readonly doneMs: number;
  readonly slowestMs: number;
  readonly cpuMs: number;
  readonly peakRssMb: number;
}

/** All sessions start a turn at the same moment; both of its model calls take `latencyMs`. */
export async function measureManyTurns(given: {
  readonly runtime: RuntimeName;
  readonly sessions: number;
  readonly latencyMs: number;
}): Promise<ManyTurns> {
  using folder = createScratchFolder();
  const work = createTurnWork();
  const runtime = await openRuntime(given.runtime, folder.path, work);
  await warmUp(runtime, work);
  collectGarbage();
  work.setLatency(given.latencyMs);
  work.counts.modelCalls = 0;
  work.counts.toolCalls = 0;
  const sessions = await openSessions(runtime, given.sessions);

  let peakRss = 0;
  const sampler = setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage.rss())), 50);
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const times = await Promise.all(
    sessions.map(async (session) => {
      const text = await session.turn(userText, () => undefined);
      if (text !== finalText) throw new Error(`A session said "${text}".`);
      return performance.now() - started;
    }),
  );
  const doneMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  clearInterval(sampler);
  const { modelCalls, toolCalls } = work.counts;
  if (modelCalls !== 2 * given.sessions || toolCalls !== given.sessions) {
    throw new Error(`Work was skipped: ${modelCalls} model calls and ${toolCalls} tool calls.`);
  }
  return {
    doneMs,
    slowestMs: summaryOf(times).p99,
    cpuMs: (user + system) / 1000 / given.sessions,
    peakRssMb: peakRss / 2 ** 20,
  };
}
