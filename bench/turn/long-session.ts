import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { bytesIn, createScratchFolder } from '../harness/scratch-folder.ts';
import { openRuntime, type RuntimeName } from '../workload/runtimes.ts';
import { createTurnWork, runTurn } from '../workload/turn-work.ts';

export interface LongSession {
  /** Milliseconds of each turn. */
  readonly times: readonly number[];
  /** Disk size of the closed store, and its size before the first session. */
  readonly diskBytes: number;
  readonly emptyBytes: number;
}

/** One session of many turns in a separate store, after warming up on another. */
export async function measureLongSession(given: {
  readonly runtime: RuntimeName;
  readonly warmMs: number;
  readonly turns: number;
  /** As long as the measured session, so that its early turns run compiled code. */
  readonly warmSessions: number;
}): Promise<LongSession> {
  using folder = createScratchFolder();
  const work = createTurnWork();
  const open = (name: string) => {
    const place = path.join(folder.path, name);
    mkdirSync(place);
    return openRuntime(given.runtime, place, work);
  };

  await (await open('empty'))[Symbol.asyncDispose]();
  const warm = await open('warm');
  const until = performance.now() + given.warmMs;
  for (let sessions = 0; sessions < given.warmSessions || performance.now() < until; sessions += 1) {
    const session = await warm.openSession();
    for (let turn = 0; turn < given.turns; turn += 1) await runTurn(session, work);
    await session.close();
  }
  await warm[Symbol.asyncDispose]();

  const runtime = await open('long');
  const session = await runtime.openSession();
  const times: number[] = [];
  for (let turn = 0; turn < given.turns; turn += 1) {
    const started = performance.now();
    await runTurn(session, work);
    times.push(performance.now() - started);
  }
  await session.close();
  await runtime[Symbol.asyncDispose]();
  return {
    times,
    diskBytes: bytesIn(path.join(folder.path, 'long')),
    emptyBytes: bytesIn(path.join(folder.path, 'empty')),
  };
}
