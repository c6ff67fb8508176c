import { openRuntime } from '../workload/runtimes.ts';
import { createTurnWork, runTurn } from '../workload/turn-work.ts';
import { compareLengths, type Growth } from './compare-lengths.ts';

const eventsInTurn = 9;

/** The same for a whole session in memory: journal, context and a follower included. */
export async function measureSessionGrowth(given: { readonly events: number }): Promise<Growth> {
  const work = createTurnWork();
  await using runtime = await openRuntime('rondo-memory', '', work);
  const long = await runtime.openSession();
  for (let turn = 0; turn < given.events / eventsInTurn; turn += 1) await runTurn(long, work);
  const short = await runtime.openSession();
  const growth = await compareLengths(
    () => runTurn(short, work),
    () => runTurn(long, work),
  );
  await short.close();
  await long.close();
  return growth;
}
