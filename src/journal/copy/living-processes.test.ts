import { expect, test } from 'vitest';

import { ownIdentity } from '../process-identity.ts';
import type { ProcessRow } from '../process-row.ts';
import { createLivingProcesses } from './living-processes.ts';

const { pid, startedAt, bootId, host } = ownIdentity();
const here: ProcessRow = {
  number: 1,
  id: 'here',
  pid,
  started_at: startedAt,
  boot_id: bootId,
  host,
  expires_at: 0,
  beat: 1,
  taken: 0,
};
/** Its clock is an hour behind. */
const elsewhere: ProcessRow = { ...here, id: 'elsewhere', host: 'another', expires_at: Date.now() - 3_600_000 };

test('[C151] [O5] a process on another machine lives as long as it renews its lease, whatever its clock says', async () => {
  let beat = 1;
  let looks = 0;
  const all = async () => (looks++, [{ ...elsewhere, beat: (beat += 1) }]);
  expect(await createLivingProcesses({ all, leaseMs: 5, self: 'copy' })()).toEqual([`process ${pid} on another`]);

  const silent = createLivingProcesses({ all: async () => (looks++, [elsewhere]), leaseMs: 5, self: 'copy' });
  expect(await silent()).toEqual([]);
  looks = 0;
  // It is watched once.
  expect([await silent(), looks]).toEqual([[], 1]);
});

test('[C151] on the same machine only processes that run count, and not the copy itself', async () => {
  const dead: ProcessRow = { ...here, id: 'dead', started_at: 'before' };
  const look = (self: string) =>
    createLivingProcesses({ all: () => Promise.resolve([here, dead]), leaseMs: 5, self })();
  expect([await look('copy'), await look('here')]).toEqual([[`process ${pid} on ${host}`], []]);
});
