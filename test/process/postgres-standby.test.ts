import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openPostgresStore } from '../../src/journal/postgres/postgres-store.ts';
import { first, record, recorded, request, second } from '../../src/testing/contracts/journal-samples.ts';
import { startProxy } from '../fixtures/postgres/proxy.ts';
import { noServer, startServer } from '../fixtures/postgres/server.ts';
import { makeSynchronous, promote, query, startStandby } from '../fixtures/postgres/standby.ts';
import { hasServer } from '../fixtures/postgres/shared-server.ts';

test.skipIf(!hasServer())(
  `[O16][C151] a promoted standby that lacks acknowledged commits: the loss is reported, nothing is written over it ${hasServer() ? '' : noServer}`,
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-standby-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await using primary = await startServer();
    await using toPrimary = await startProxy(primary.port);
    await using standby = await startStandby(primary, toPrimary.port);
    // The address that clients use, as a load balancer or DNS name has it.
    await using address = await startProxy(primary.port);
    await using store = await openPostgresStore({
      address: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
      socketFolder: path.join(folder, 's'),
    });
    const { journal, leases, upkeep } = store;
    let { position } = leases.create(first);
    const append = async (expected: number, name: string) => {
      const answer = await journal.append(request(expected, [record(name)], { position }));
      if (answer.type === 'appended') ({ position } = answer);
      return answer;
    };
    await append(0, 'a');
    const other = await journal.append(
      request(0, [record('x')], { session: second, position: leases.create(second).position }),
    );
    await expect.poll(() => count(standby.port), { timeout: 10_000 }).toBe(2);
    toPrimary.weather = 'cut';
    expect(await append(1, 'b')).toMatchObject({ type: 'appended', seq: 2 });
    expect(await append(2, 'c')).toMatchObject({ type: 'appended', seq: 3 });
    await primary.stop('crash');
    await promote(standby);
    address.target(standby.port);

    const lost = { session: first, seq: 2, reason: 'the server lost events 2 to 3, which it had acknowledged' };
    expect(await append(3, 'd')).toEqual({ type: 'damaged', damage: lost });
    expect(await append(3, 'd')).toEqual({ type: 'damaged', damage: lost });
    expect(await journal.head(first)).toEqual({ seq: 1, epoch: 1, damage: lost });
    expect(await journal.read(first, { after: 0 })).toEqual({ events: recorded(1, 'a'), last: 1 });
    // A session that lost nothing goes on.
    const kept = other.type === 'appended' ? other.position : position;
    expect(await journal.append(request(1, [record('y')], { session: second, position: kept }))).toMatchObject({
      type: 'appended',
      seq: 2,
    });
    expect(await upkeep.sessions()).toEqual([first, second]);
  },
);

test.skipIf(!hasServer())(
  `[O16][C151] a promoted synchronous standby has every acknowledged commit, and the owner goes on ${hasServer() ? '' : noServer}`,
  async () => {
    await using primary = await startServer();
    await using address = await startProxy(primary.port);
    const folder = path.dirname(primary.data);
    await using store = await openPostgresStore({
      address: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
      socketFolder: path.join(folder, 's'),
    });
    let { position } = store.leases.create(first);
    let seq = 0;
    const names: string[] = [];
    const append = async () => {
      const name = `event ${names.length}`;
      const answer = await store.journal.append(request(seq, [record(name)], { position }));
      if (answer.type !== 'appended') throw new Error(`Not appended: ${JSON.stringify(answer)}`);
      ({ position, seq } = answer);
      names.push(name);
    };
    await append();
    await using standby = await startStandby(primary);
    await makeSynchronous(primary);
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) await append();
    })();
    await expect.poll(() => names.length).toBeGreaterThan(20);
    await primary.stop('crash');
    await promote(standby);
    const before = names.length;
    address.target(standby.port);
    await expect.poll(() => names.length, { timeout: 15_000 }).toBeGreaterThan(before + 10);
    over.abort();
    await writing;
    expect(await store.journal.read(first, { after: 0 })).toEqual({
      events: recorded(1, ...names),
      last: names.length,
    });
    // Before its server is gone.
    await store[Symbol.asyncDispose]();
  },
);

async function count(port: number): Promise<number> {
  const [row] = await query(port, 'SELECT count(*)::int AS n FROM rondo.records').catch(() => []);
  return Number(row?.['n'] ?? 0);
}
