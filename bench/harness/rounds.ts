/**
 * Runs every job once per round, each in its own process and in a new shuffled order, so that noise from other
 * users of the machine affects all of them alike.
 */
import type { Waited } from './contention.ts';
import { isFailure, type ChildFailure } from './run-child.ts';
import { medianOf } from './statistics.ts';

interface Rounds<Key extends string, Result> {
  of(key: Key): readonly Result[];
  /** Problems, without duplicates. */
  readonly failures: readonly string[];
  /** The median over all jobs. NaN if the system doesn't report it. */
  readonly waitedShare: number;
}

export async function runRounds<Key extends string, Result extends Waited>(
  rounds: number,
  jobs: ReadonlyMap<Key, () => Promise<Result | ChildFailure>>,
): Promise<Rounds<Key, Result>> {
  const results = new Map<Key, Result[]>();
  const failures = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [key, run] of shuffled([...jobs])) {
      const result = await run();
      if (isFailure(result)) {
        failures.add(`${key}: ${result.failure}`);
        process.stderr.write('x');
      } else {
        results.set(key, [...(results.get(key) ?? []), result]);
        process.stderr.write('.');
      }
    }
  }
  process.stderr.write('\n');
  const shares = [...results.values()].flat().flatMap(({ waitedShare }) => waitedShare ?? []);
  return {
    of: (key) => results.get(key) ?? [],
    failures: [...failures],
    waitedShare: medianOf(shares),
  };
}

function shuffled<Value>(values: readonly Value[]): readonly Value[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
