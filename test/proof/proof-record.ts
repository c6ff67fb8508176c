/**
 * The result of a proof. `npm run prove` runs the proofs for longer with `PROOF_FILE` set, and makes one report
 * from the lines they append to it. In `npm test` the same proofs run briefly and write nothing.
 *
 * Counts of forbidden outcomes are measured values; each proof also asserts on them.
 */
import { appendFileSync } from 'node:fs';

export interface ProofRecord {
  readonly name: string;
  readonly runs: number;
  /** Faults injected, by kind. */
  readonly faults: Readonly<Record<string, number>>;
  /** Acknowledged inputs and answers that were checked afterwards. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly repeated: number;
  /** Tools of an older owner that ran after a newer owner's. */
  readonly overlapping: number;
  /** Followers whose transcript was compared with the journal, and how many differed. */
  readonly compared: number;
  readonly differing: number;
  readonly leaked: number;
  readonly harmed: number;
  /** Inputs sent to parsers, and how many didn't get a valid answer. */
  readonly cases: number;
  readonly crashes: number;
}

export type Proven = Pick<ProofRecord, 'name' | 'runs' | 'faults'> & Partial<ProofRecord>;

export function recordProof(proven: Proven): void {
  const file = process.env['PROOF_FILE'];
  if (file === undefined) return;
  const nothingLost = {
    acknowledged: 0,
    lost: 0,
    repeated: 0,
    overlapping: 0,
    compared: 0,
    differing: 0,
    leaked: 0,
    harmed: 0,
  };
  const record: ProofRecord = { ...nothingLost, cases: 0, crashes: 0, ...proven };
  appendFileSync(file, `${JSON.stringify(record)}\n`);
}
