import type { TurnRuntime, TurnSession } from '../workload/turn-runtime.ts';
import { runTurn, type TurnWork } from '../workload/turn-work.ts';

export async function openSessions(runtime: TurnRuntime, count: number): Promise<readonly TurnSession[]> {
  const sessions: TurnSession[] = [];
  for (let opened = 0; opened < count; opened += 1) sessions.push(await runtime.openSession());
  return sessions;
}

/** Enough turns for the code to be compiled, within a second. */
export async function warmUp(runtime: TurnRuntime, work: TurnWork): Promise<void> {
  const until = performance.now() + 1000;
  for (let turns = 0; turns < 300 && performance.now() < until; turns += 1) {
    const session = await runtime.openSession();
    await runTurn(session, work);
    await session.close();
  }
}
