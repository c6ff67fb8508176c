/**
 * What a proof came to. `npm run prove` runs the proofs at length with `PROOF_FILE` set, and makes one
 * report of the lines they leave there. In `npm test` the same proofs run briefly and leave nothing.
 *
 * The counts of what must not happen are what was found, not what was hoped: each proof checks them too.
 */
import { appendFileSync } from 'node:fs';

export interface ProofRecord {
  readonly name: string;
  readonly runs: number;
  /** Faults injected, by kind. */
  readonly faults: Readonly<Record<string, number>>;
  /** Inputs and answers that were acknowledged and looked for afterwards. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly repeated: number;
  /** Followers whose transcript was compared with the journal, and how many differed. */
  readonly compared: number;
  readonly differing: number;
  readonly leaked: number;
  readonly harmed: number;
  /** Inputs that parsers were given, and after how many there was no proper answer. */
  readonly cases: number;
  readonly crashes: number;
}

export type Proven = Pick<ProofRecord, 'name' | 'runs' | 'faults'> & Partial<ProofRecord>;

export function recordProof(proven: Proven): void {
  const file = process.env['PROOF_FILE'];
  if (file === undefined) return;
  const nothingLost = { acknowledged: 0, lost: 0, repeated: 0, compared: 0, differing: 0, leaked: 0, harmed: 0 };
  const record: ProofRecord = { ...nothingLost, cases: 0, crashes: 0, ...proven };
  appendFileSync(file, `${JSON.stringify(record)}\n`);
}
