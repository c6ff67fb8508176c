import { collectGarbage } from '../harness/collect-garbage.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { sleep } from '../harness/sleep.ts';
import { openRuntime, type RuntimeName } from '../workload/runtimes.ts';
import { createTurnWork, userText } from '../workload/turn-work.ts';
import { openSessions, warmUp } from './open-sessions.ts';

export interface Waiting {
  readonly heapKb: number;
  readonly rssKb: number;
}

/** Memory per session while all of them wait for their first model call. */
export async function measureWaitingSessions(given: {
  readonly runtime: RuntimeName;
  readonly sessions: number;
}): Promise<Waiting> {
  using folder = createScratchFolder();
  const work = createTurnWork();
  const runtime = await openRuntime(given.runtime, folder.path, work);
  await warmUp(runtime, work);
  const before = await settledMemory();
  work.holdModel();
  work.counts.modelCalls = 0;
  const sessions = await openSessions(runtime, given.sessions);
  for (const session of sessions) void session.turn(userText, () => undefined);
  while (work.counts.modelCalls < given.sessions) await sleep(10);
  await sleep(100);
  const after = await settledMemory();
  return {
    heapKb: (after.heap - before.heap) / 1024 / given.sessions,
    rssKb: (after.rss - before.rss) / 1024 / given.sessions,
  };
}

async function settledMemory(): Promise<{ readonly heap: number; readonly rss: number }> {
  collectGarbage();
  await sleep(100);
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}
