// A one-minute version of `npm run soak`. SOAK_SEED repeats a run's choices, SOAK_SECONDS lengthens it.
import { expect, test } from 'vitest';

import { recordProof } from '../proof/proof-record.ts';
import { soak } from './soak.ts';

const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
const seconds = Number(process.env['SOAK_SECONDS'] ?? 60);

test(
  '[P1] [P5] [C94] under load for a while memory, handles, processes and disk stay flat, and every client’s transcript is the journal',
  { timeout: 400_000 + seconds * 4000 },
  async () => {
    const { counts, problems } = await soak({ seconds, seed });
    recordProof({
      name: 'soak',
      runs: 1,
      faults: { 'server killed': counts.kills, 'line cut or not read': counts.disturbances },
      acknowledged: counts.prompts,
      compared: counts.compared,
      differing: problems.length,
    });
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    expect(counts.compared).toBeGreaterThan(0);
  },
);
