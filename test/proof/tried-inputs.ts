/**
 * Counts what parsers were tried with. A case is one input that a parser was really given; a crash is an input
 * after which it did not give an answer that it may give. BAD_INPUT_CASES lengthens, BAD_INPUT_SEED repeats.
 */
import * as fc from 'fast-check';

import { recordProof } from './proof-record.ts';

const cases = Number(process.env['BAD_INPUT_CASES'] ?? 200);
const seed = Number(process.env['BAD_INPUT_SEED'] ?? 11);

/** How long one test may take, on a machine that is busy with other things. */
export const patienceMs = 120_000 + cases * 100;

/** The smallest input that was found, and what came of it. */
export interface Crash {
  readonly parser: string;
  readonly seed: number;
  readonly input: unknown;
  readonly error: unknown;
}

export interface TriedInputs {
  /** `isAnswered`: the parser gave an answer that it may give. `share` makes costly parsers try fewer. */
  crashOf<Input>(
    parser: string,
    inputs: fc.Arbitrary<Input>,
    isAnswered: (input: Input) => boolean | Promise<boolean>,
    share?: number,
  ): Promise<Crash | undefined>;
  /** What it came to, in one line, and as a record of the proof. */
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
