import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { Client } from 'pg';
import { expect, test } from 'vitest';

import { openPostgresStore } from '../../src/journal/postgres/postgres-store.ts';
import { first, record, recorded, request, second } from '../../src/testing/contracts/journal-samples.ts';
import { findInstallation, own } from '../fixtures/postgres/installation.ts';
import { startProxy } from '../fixtures/postgres/proxy.ts';
import { noServer, startServer, type TestServer } from '../fixtures/postgres/server.ts';
import { hasServer } from '../fixtures/postgres/shared-server.ts';

test.skipIf(!hasServer())(
  `[O16][C151] a promoted standby that lacks acknowledged commits: the loss is reported, nothing is written over it ${hasServer() ? '' : noServer}`,
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-standby-'));
    await using primary = await startServer();
    await using toPrimary = await startProxy(primary.port);
    await using standby = await standbyOf(primary, toPrimary.port);
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
    await query(standby.port, 'SELECT pg_promote()');
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
    await rm(folder, { recursive: true, force: true });
  },
);

/** The data folder copied between start and stop of a backup: the package has no pg_basebackup. */
async function standbyOf(primary: TestServer, port: number): Promise<TestServer> {
  const client = new Client(primary.address);
  await client.connect();
  await client.query(`SELECT pg_backup_start('standby', true)`);
  const data = path.join(path.dirname(primary.data), 'standby');
  execFileSync('cp', ['-a', primary.data, data]);
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
  await client.end();
  for (const name of ['postmaster.pid', 'postmaster.opts']) {
    if (existsSync(path.join(data, name))) rmSync(path.join(data, name));
  }
  for (const [name, content] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(path.join(data, name), content);
    own(path.join(data, name), findInstallation()?.user ?? {});
  }
  return startServer({ data, settings: { primary_conninfo: `host=127.0.0.1 port=${port} user=postgres` } });
}

async function query(port: number, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function count(port: number): Promise<number> {
  const [row] = await query(port, 'SELECT count(*)::int AS n FROM rondo.records').catch(() => []);
  return Number(row?.['n'] ?? 0);
}
