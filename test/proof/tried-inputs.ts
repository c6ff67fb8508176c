/**
 * Counts inputs tried on parsers. A case is one input that a parser really received; a crash is an input without a
 * valid answer. BAD_INPUT_CASES lengthens it, BAD_INPUT_SEED repeats it.
 */
import * as fc from 'fast-check';

import { recordProof } from './proof-record.ts';

const cases = Number(process.env['BAD_INPUT_CASES'] ?? 200);
const seed = Number(process.env['BAD_INPUT_SEED'] ?? 11);

/** Time limit of one test, on a busy machine. */
export const patienceMs = 120_000 + cases * 100;

/** The smallest failing input, and its outcome. */
export interface Crash {
  readonly parser: string;
  readonly seed: number;
  readonly input: unknown;
  readonly error: unknown;
}

export interface TriedInputs {
  /** `isAnswered`: true if the parser gave a valid answer. `share` makes costly parsers try fewer. */
  crashOf<Input>(
    parser: string,
    inputs: fc.Arbitrary<Input>,
    isAnswered: (input: Input) => boolean | Promise<boolean>,
    share?: number,
  ): Promise<Crash | undefined>;
  /** The result in one line; also recorded as a proof. */
  report(): string;
}

export function createTriedInputs(): TriedInputs {
  const tried = new Map<string, { cases: number; crashes: number }>();
  return {
    async crashOf(parser, inputs, isAnswered, share = 1) {
      const entry = tried.get(parser) ?? { cases: 0, crashes: 0 };
      tried.set(parser, entry);
      const property = fc.asyncProperty(inputs, async (input) => {
        entry.cases += 1;
        return await isAnswered(input);
      });
      const numRuns = Math.max(20, Math.round(cases * share));
      const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns, seed });
      if (!failed) return undefined;
      entry.crashes += 1;
      return { parser, seed, input: counterexample, error: errorInstance };
    },
    report() {
      const sum = (of: 'cases' | 'crashes') => [...tried.values()].reduce((total, entry) => total + entry[of], 0);
      recordProof({
        name: `bad input (${[...tried].map(([parser, entry]) => `${parser} ${entry.cases}`).join(', ')})`,
        runs: tried.size,
        faults: {},
        cases: sum('cases'),
        crashes: sum('crashes'),
      });
      return `bad input: ${sum('cases')} cases in ${tried.size} parsers, ${sum('crashes')} crashes`;
    },
  };
}
