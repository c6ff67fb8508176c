import { medianOf } from '../harness/statistics.ts';
import { stepsInTurn } from '../workload/kernel-turns.ts';

export interface Growth {
  /** Median microseconds of a step in a session of fewer than 200 turns, and in the long one. */
  readonly shortUs: number;
  readonly longUs: number;
}

const comparedTurns = 200;

/**
 * Alternates turns of a new session and a long one, after the long one was built. Measured in sequence, the early
 * turns would run before the compiler optimized the code, which would hide any growth.
 */
export async function compareLengths(short: () => unknown, long: () => unknown): Promise<Growth> {
  const shortUs: number[] = [];
  const longUs: number[] = [];
  const time = async (turn: () => unknown, times: number[]) => {
    const started = performance.now();
    await turn();
    times.push(((performance.now() - started) * 1000) / stepsInTurn);
  };
  for (let turn = 0; turn < comparedTurns; turn += 1) {
    await time(short, shortUs);
    await time(long, longUs);
  }
  return { shortUs: medianOf(shortUs), longUs: medianOf(longUs) };
}
