import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { noServer } from '../../../test/fixtures/postgres/server.ts';
import { hasServer } from '../../../test/fixtures/postgres/shared-server.ts';
import { openPostgresUnderTest } from '../../../test/fixtures/postgres/store-under-test.ts';
import { first, second } from '../../testing/contracts/journal-samples.ts';

const leaseMs = 1500;
const node = {
  name: 'a',
  labels: [],
  capacity: 1,
  version: '0',
  reader: 1,
  publicKey: '',
  startedAt: 1,
  isDraining: false,
};

test.skipIf(!hasServer())(
  `[C153] [O5] [P4] a node that owned nothing for longer than a lease is alive and keeps what it then claims, also after it lost its lease once ${hasServer() ? '' : noServer}`,
  async () => {
    await using under = await openPostgresUnderTest({ leaseMs });
    await using idle = await under.another();
    const others = under.store;
    for (const session of [first, second]) {
      await idle.nodes.register(node);
      const seen = new Set<boolean | undefined>();
      for (const until = performance.now() + 2 * leaseMs; performance.now() < until; await sleep(50))
        seen.add((await others.nodes.list())[0]?.isAlive);
      expect([...seen]).toEqual([true]);
      expect(await idle.leases.claim(session)).toMatchObject({ type: 'claimed' });
      expect(await others.leases.claim(session)).toMatchObject({
        type: 'held',
        owner: { id: idle.leases.self.id },
      });
      await under.lapse(idle);
    }
  },
);
