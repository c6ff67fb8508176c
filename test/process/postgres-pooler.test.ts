import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { inboxContract } from '../../src/testing/contracts/inbox-contract.ts';
import { leaseContract } from '../../src/testing/contracts/lease-contract.ts';
import { openPostgresStore } from '../../src/journal/postgres/postgres-store.ts';
import { nextOf, first } from '../../src/testing/contracts/journal-samples.ts';
import { startPooler, type Pooler } from '../fixtures/postgres/pooler.ts';
import { noServer } from '../fixtures/postgres/server.ts';
import { emptySchema, freshSchema, hasServer } from '../fixtures/postgres/shared-server.ts';
import { openPostgresUnderTest } from '../fixtures/postgres/store-under-test.ts';

describe.skipIf(!hasServer())(`[C151] behind a transaction pooler ${hasServer() ? '' : noServer}`, () => {
  let pooler: Pooler;
  beforeAll(async () => {
    pooler = await startPooler(Number(new URL(await freshSchema()).port), 3);
  });
  afterAll(async () => {
    await pooler[Symbol.asyncDispose]();
  });

  async function pooled(): Promise<string> {
    const url = new URL(await emptySchema());
    url.port = String(pooler.port);
    return url.href;
  }

  const open = async () => openPostgresUnderTest({ address: await pooled() });
  leaseContract('PostgreSQL behind a transaction pooler', open);
  inboxContract('PostgreSQL behind a transaction pooler', open);

  test('[C151] spreads statements over all server connections', () => {
    expect(Math.min(...pooler.shares())).toBeGreaterThan(10);
  });

  test('[C151] a process on another machine is woken by polling, because no notification arrives', async () => {
    const address = await pooled();
    // Two folders: they share no socket, like two machines.
    await using owner = await openPostgresStore({ address, socketFolder: '/nonexistent/a' });
    await using sender = await openPostgresStore({ address, socketFolder: '/nonexistent/b' });
    await owner.leases.claim(first);
    const arrival = nextOf<string>((listener) => owner.inbox.onArrival(listener));
    await sender.inbox.put(first, { key: 'k', body: '{}' });
    expect(await arrival).toBe(first);
  });
});
