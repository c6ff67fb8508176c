import type { SessionId } from '../../src/kernel/ids.ts';
import { createKernelTurns } from '../workload/kernel-turns.ts';
import { compareLengths, type Growth } from './compare-lengths.ts';

/** Cost of the kernel's `step` at the start of a session and after this many events. */
export async function measureKernelGrowth(given: { readonly events: number }): Promise<Growth> {
  const long = createKernelTurns('ses_long' as SessionId, 0);
  while (long.state.seq < given.events) long.turn();
  const short = createKernelTurns('ses_short' as SessionId, 0);
  return compareLengths(
    () => short.turn(),
    () => long.turn(),
  );
}
