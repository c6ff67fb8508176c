import { writeSync } from 'node:fs';

import { createScratchFolder } from '../harness/scratch-folder.ts';
import { openRuntime, type RuntimeName } from '../workload/runtimes.ts';
import { createTurnWork, runTurn } from '../workload/turn-work.ts';

export const startMark = 'bench-turns-start';
export const stopMark = 'bench-turns-stop';

/** Turns of one session between two marks in a trace of system calls. */
export async function runMarkedTurns(given: {
  readonly runtime: RuntimeName;
  readonly turns: number;
}): Promise<{ readonly turns: number }> {
  using folder = createScratchFolder();
  const work = createTurnWork();
  await using runtime = await openRuntime(given.runtime, folder.path, work);
  const session = await runtime.openSession();
  await runTurn(session, work);
  writeSync(2, `${startMark}\n`);
  for (let turn = 0; turn < given.turns; turn += 1) await runTurn(session, work);
  writeSync(2, `${stopMark}\n`);
  await session.close();
  return { turns: given.turns };
}
