import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openDatabase } from '../../src/journal/postgres/database.ts';
import { postgresPlace } from '../../src/journal/postgres/postgres-address.ts';
import { openPostgresStore, type PostgresStoreOptions } from '../../src/journal/postgres/postgres-store.ts';
import type { Position } from '../../src/ports/lease.ts';
import type { Store } from '../../src/ports/store.ts';
import { first, record, recorded, request } from '../../src/testing/contracts/journal-samples.ts';
import { startProxy, type Proxy } from '../fixtures/postgres/proxy.ts';
import { noServer, startServer, type TestServer } from '../fixtures/postgres/server.ts';
import { freshSchema, hasServer } from '../fixtures/postgres/shared-server.ts';

const without = hasServer() ? '' : noServer;

/** Appends and follows positions, as an owner does. */
function invariantOf(answer: unknown): never {
  throw new Error(`Unexpected: ${JSON.stringify(answer)}`);
}

function writerOf({ journal, leases }: Store) {
  let position: Position = leases.create(first).position;
  let seq = 0;
  return async (name: string) => {
    const answer = await journal.append(request(seq, [record(name)], { position }));
    if (answer.type !== 'appended') return answer;
    ({ position, seq } = answer);
    return { type: answer.type, seq: answer.seq };
  };
}

describe.skipIf(!hasServer())(`between Rondo and the server ${without}`, () => {
  let proxy: Proxy;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-failures-'));
    proxy = await startProxy(Number(new URL(await freshSchema()).port));
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  async function open(more: Partial<PostgresStoreOptions> = {}, through?: string): Promise<Store> {
    const url = new URL(through ?? (await freshSchema()));
    url.port = String(proxy.port);
    return openPostgresStore({ address: url.href, socketFolder: path.join(folder, 's'), leaseMs: 2000, ...more });
  }

  /** A process that reaches the server directly and takes over every session. */
  const another = (address: string) =>
    openPostgresStore({ address, socketFolder: path.join(folder, 's'), isDead: () => true });

  test('[O16] an append whose answer was lost is asked for again and is there once', async () => {
    await using store = await open();
    const write = writerOf(store);
    expect(await write('a')).toEqual({ type: 'appended', seq: 1 });
    proxy.weather = 'answers-lost';
    const before = proxy.lost();
    const appending = write('b');
    await expect.poll(() => proxy.lost()).toBeGreaterThan(before);
    proxy.weather = 'fair';
    expect(await appending).toEqual({ type: 'appended', seq: 2 });
    expect(await write('c')).toEqual({ type: 'appended', seq: 3 });
    expect(await store.journal.read(first, { after: 0 })).toEqual({ events: recorded(1, 'a', 'b', 'c'), last: 3 });
  });

  test("[O16][O1] an append whose answer was lost counts, even if its session was taken over in between; the next doesn't", async () => {
    const address = await freshSchema();
    await using store = await open({}, address);
    await using other = await another(address);
    const write = writerOf(store);
    await write('a');
    proxy.weather = 'answers-lost';
    const before = proxy.lost();
    const appending = write('b');
    await expect.poll(() => proxy.lost()).toBeGreaterThan(before);
    expect(await other.leases.claim(first)).toMatchObject({ type: 'claimed' });
    proxy.weather = 'fair';
    expect(await appending).toEqual({ type: 'appended', seq: 2 });
    expect(await write('c')).toEqual({ type: 'fenced', epoch: 2 });
  });

  test('[O1] a write that arrives after another process took over changes nothing', async () => {
    const address = await freshSchema();
    await using store = await open({}, address);
    await using other = await another(address);
    const write = writerOf(store);
    await write('a');
    proxy.weather = 'delayed';
    const late = write('late');
    await expect.poll(() => proxy.delayed()).toBeGreaterThan(0);
    const taken = await other.leases.claim(first);
    const { position } = taken.type === 'claimed' ? taken.claim : invariantOf(taken);
    const next = await other.journal.append(request(1, [record('b')], { position }));
    expect(next).toMatchObject({ type: 'appended', seq: 2 });
    proxy.weather = 'fair';
    expect(await late).toEqual({ type: 'fenced', epoch: 2 });
    expect(await other.journal.read(first, { after: 0 })).toEqual({ events: recorded(1, 'a', 'b'), last: 2 });
  });

  test('[C151] [O5] a slow server costs time, and neither the lease nor an append', async () => {
    await using store = await open({ leaseMs: 8000 });
    const write = writerOf(store);
    await write('a');
    proxy.weather = 'slow';
    const standings: string[] = [];
    store.leases.onStanding((standing) => standings.push(standing));
    for (const [index, name] of ['b', 'c', 'd', 'e'].entries())
      expect(await write(name)).toEqual({ type: 'appended', seq: index + 2 });
    proxy.weather = 'fair';
    expect([standings, store.leases.standing()]).toEqual([[], 'sure']);
  });

  test('[O16] a claim, a letter and a job whose answers were lost are there once', async () => {
    await using store = await open();
    await store.journal.append(request(0, [record('a')], { position: store.leases.create(first).position }));
    const loseOne = async <Value>(work: () => Promise<Value>): Promise<Value> => {
      proxy.weather = 'answers-lost';
      const before = proxy.lost();
      const working = work();
      await expect.poll(() => proxy.lost()).toBeGreaterThan(before);
      proxy.weather = 'fair';
      return working;
    };
    const claim = await loseOne(() => store.leases.claim('ses_new' as typeof first));
    expect(claim).toMatchObject({ type: 'claimed', claim: { epoch: 1, isUnclean: false, fences: 0 } });
    const letter = await loseOne(() => store.inbox.put(first, { key: 'k', body: '{}' }));
    expect(await store.inbox.take(first)).toEqual([{ id: letter, key: 'k', body: '{}' }]);
    const worker = {
      id: 'w' as never,
      name: 'w',
      kind: 'persistent',
      depth: 0,
      maySpawn: false,
      createdAt: 1,
      setup: 0,
    } as const;
    expect(await loseOne(() => store.jobs.enrol(worker))).toEqual({ type: 'enrolled', worker });
    expect(await store.jobs.workers()).toEqual([worker]);
  });

  test('[C151] a network that swallows everything ends the attempt, and the next one succeeds', async () => {
    await using store = await open({ patience: { answerMs: 500 } });
    const write = writerOf(store);
    await write('a');
    proxy.weather = 'silent';
    const appending = write('b');
    await sleep(700);
    proxy.weather = 'fair';
    expect(await appending).toEqual({ type: 'appended', seq: 2 });
  });

  test('[C151] [O14] a read whose connection fell silent is repeated on another one', async () => {
    await using store = await open({ patience: { soonMs: 300 } });
    await writerOf(store)('a');
    proxy.weather = 'silent';
    const reading = store.journal.read(first, { after: 0 });
    await sleep(100);
    proxy.weather = 'fair';
    expect(await reading).toEqual({ events: recorded(1, 'a'), last: 1 });
    // Sooner than a connection counts as dead.
  }, 50_000);

  test('[C151] [O5] connections that fall silent again and again delay a renewal no longer than they do so', async () => {
    const url = new URL(await freshSchema());
    url.port = String(proxy.port);
    const db = await openDatabase(postgresPlace(url.href));
    const stranding = setInterval(() => proxy.strand(), 100);
    setTimeout(() => clearInterval(stranding), 6000);
    const began = performance.now();
    expect(await db.urgently('Renewing', 'SELECT pg_sleep(0.12)::text', [], 200)).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(12_000);
    await db.close();
  }, 60_000);

  test('[C151] an append to a silent server fails once no new connection can be had, and counts once when repeated', async () => {
    await using store = await open({ leaseMs: 5000, patience: { retryMs: 1000, connectMs: 500 } });
    const write = writerOf(store);
    await write('a');
    proxy.weather = 'silent';
    const began = performance.now();
    await expect(write('b')).rejects.toMatchObject({ name: 'Fault', code: 'network' });
    expect(performance.now() - began).toBeLessThan(20_000);
    proxy.weather = 'fair';
    expect(await write('b')).toEqual({ type: 'appended', seq: 2 });
  }, 60_000);

  test('[C151] [O5] connections that fell silent cost neither the lease nor an append, if new ones are answered', async () => {
    await using store = await open({ leaseMs: 15_000 });
    // More than there are connections.
    const others = Array.from({ length: 20 }, (_, index) => `ses_${index}` as typeof first);
    const write = writerOf(store);
    await write('a');
    // All connections of the pool are open and were used.
    await Promise.all(Array.from({ length: 20 }, () => store.journal.read(first, { after: 0 })));
    const standings: string[] = [];
    store.leases.onStanding((standing) => standings.push(standing));
    proxy.strand();
    const began = performance.now();
    const taken = async (work: Promise<unknown>) => ({
      answer: await work,
      seconds: Math.round((performance.now() - began) / 1000),
    });
    const answers = await Promise.all([
      taken(write('b')),
      taken(store.journal.read(first, { after: 0 }).then(({ last }) => last > 0)),
      ...others.map((session) => taken(store.leases.ownerOf(session))),
    ]);
    const owners = others.map(() => undefined);
    expect(answers.map(({ answer }) => answer)).toEqual([{ type: 'appended', seq: 2 }, true, ...owners]);
    expect(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThan(15);
    expect(standings.filter((standing) => standing === 'lapsed')).toEqual([]);
  }, 60_000);

  test('[C151] a server that stays away is reported after a while, without the password, and nothing is lost', async () => {
    const url = new URL(await freshSchema());
    url.password = 's3cret';
    await using store = await open({ patience: { retryMs: 400 } }, url.href);
    const write = writerOf(store);
    await write('a');
    proxy.weather = 'cut';
    const failed = await write('b').catch((error: unknown) => error);
    expect(failed).toMatchObject({
      name: 'Fault',
      code: 'network',
      message: expect.stringMatching(
        /^Appending to session ses_first in postgres:\/\/postgres:\*\*\*@.* cannot be reached/,
      ) as string,
    });
    expect(JSON.stringify([String(failed), failed])).not.toContain('s3cret');
    proxy.weather = 'fair';
    expect(await write('b')).toEqual({ type: 'appended', seq: 2 });
  });
});

describe.skipIf(!hasServer())(`a server of its own ${without}`, () => {
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-failures-'));
    server = await startServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const open = (more: string, options: Partial<PostgresStoreOptions> = {}) =>
    openPostgresStore({ address: `${server.address}${more}`, socketFolder: path.join(folder, 's'), ...options });

  /** As the superuser, beside Rondo. */
  async function run(...statements: readonly string[]): Promise<void> {
    const { default: pg } = await import('pg');
    const client = new pg.Client(server.address);
    await client.connect();
    for (const sql of statements) await client.query(sql);
    await client.end();
  }

  test.each(['fast', 'crash'] as const)(
    '[C151][P1] a server restarted in the middle of the work (%s): everything acknowledged is there, once and in order',
    async (how) => {
      await using store = await open(`?schema=restart_${how}`);
      const write = writerOf(store);
      const names = Array.from({ length: 120 }, (_, index) => `event ${index}`);
      const restarting = sleep(60).then(() => server.restart(how));
      for (const [index, name] of names.entries()) {
        expect(await write(name)).toEqual({ type: 'appended', seq: index + 1 });
        await sleep(2);
      }
      await restarting;
      expect((await store.journal.read(first, { after: 0 })).events).toEqual(recorded(1, ...names));
    },
  );

  test('[C151] a full disk is named, nothing is written, and work continues once there is space', async () => {
    await using store = await open('?schema=full');
    const write = writerOf(store);
    await write('a');
    await run(
      `CREATE FUNCTION "full".stop() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
      'CREATE TRIGGER stop BEFORE INSERT ON "full".records EXECUTE FUNCTION "full".stop()',
    );
    await expect(write('b')).rejects.toMatchObject({ name: 'Fault', code: 'disk-full' });
    await run('DROP TRIGGER stop ON "full".records');
    expect(await write('b')).toEqual({ type: 'appended', seq: 2 });
  });

  test('[C151] [O5] a lease is renewed although the server has no room for another connection', async () => {
    await run('CREATE ROLE narrow LOGIN CONNECTION LIMIT 2', 'GRANT CREATE ON DATABASE postgres TO narrow');
    const address = `postgres://narrow@127.0.0.1:${server.port}/postgres?schema=narrow&connections=2&wake=poll`;
    await using store = await openPostgresStore({ address, socketFolder: path.join(folder, 's'), leaseMs: 3000 });
    const standings: string[] = [];
    store.leases.onStanding((standing) => standings.push(standing));
    const write = writerOf(store);
    for (const until = performance.now() + 4000; performance.now() < until; await sleep(20))
      await Promise.all([write('a'), store.upkeep.sessions(), store.nodes.list()]);
    expect([standings, store.leases.standing()]).toEqual([[], 'sure']);
  });

  test('[C151] a client that stopped inside a transaction of its own delays an append, which then counts once', async () => {
    await using store = await open('?schema=locked', { patience: { answerMs: 300 } });
    const write = writerOf(store);
    await write('a');
    const { default: pg } = await import('pg');
    const stopped = new pg.Client(server.address);
    await stopped.connect();
    await stopped.query('BEGIN');
    await stopped.query('LOCK TABLE locked.records IN EXCLUSIVE MODE');
    const appending = write('b');
    // Longer than an attempt: the first one waits in the server and isn't cancelled.
    await sleep(700);
    expect(await store.journal.read(first, { after: 0 })).toEqual({ events: recorded(1, 'a'), last: 1 });
    await stopped.query('ROLLBACK');
    await stopped.end();
    expect(await appending).toEqual({ type: 'appended', seq: 2 });
    expect(await write('c')).toEqual({ type: 'appended', seq: 3 });
    expect((await store.journal.read(first, { after: 0 })).events).toEqual(recorded(1, 'a', 'b', 'c'));
  });

  test("[O5] the server's clock decides nothing: no function reads it", async () => {
    await using _store = await open('?schema=timeless');
    const { default: pg } = await import('pg');
    const client = new pg.Client(server.address);
    await client.connect();
    const { rows } = await client.query<{ proname: string; reads: boolean }>(
      `SELECT proname, prosrc ~* '\\m(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|localtime|localtimestamp|current_(time|timestamp|date))\\M' AS reads
       FROM pg_proc WHERE pronamespace = 'timeless'::regnamespace`,
    );
    await client.end();
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ reads }) => reads)).toEqual([]);
  });

  test.each([
    ['a wrong password', 'guarded:wrong', 'postgres', 'refused the user or the password'],
    ['a missing database', 'postgres', 'nowhere', 'the database does not exist'],
    ['missing privileges', 'guest', 'postgres', 'this user lacks privileges'],
    ['no free connection', 'crowded', 'postgres', 'no free connection'],
  ])('[C151] %s is named, and what to do about it', async (_, user, database, message) => {
    await run(
      `DO $$ BEGIN
         IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'guarded') THEN
           CREATE ROLE guarded LOGIN PASSWORD 'right'; CREATE ROLE guest LOGIN;
           CREATE ROLE crowded LOGIN CONNECTION LIMIT 0;
         END IF; END $$`,
    );
    const address = `postgres://${user}@127.0.0.1:${server.port}/${database}?schema=errors`;
    const opening = openPostgresStore({ address, patience: { retryMs: 200 } });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.not.toThrow('wrong@');
  });

  test('[C151] a role that owns nothing but the privileges of the guide can work, also with synchronous_commit off', async () => {
    await using owner = await open('?schema=least');
    await writerOf(owner)('a');
    await run(
      `CREATE ROLE worker LOGIN`,
      `GRANT USAGE ON SCHEMA least TO worker`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA least TO worker`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA least TO worker`,
      `ALTER ROLE worker SET synchronous_commit = off`,
    );
    const address = `postgres://worker@127.0.0.1:${server.port}/postgres?schema=least`;
    await using store = await openPostgresStore({ address, socketFolder: path.join(folder, 's') });
    const session = 'ses_worker' as typeof first;
    const { position } = store.leases.create(session);
    expect(await store.journal.append(request(0, [record('b')], { session, position }))).toMatchObject({
      type: 'appended',
    });
    await store.blobs.put('content');
    expect(await store.upkeep.search({ text: 'word' })).toEqual([]);
    const { default: pg } = await import('pg');
    const client = new pg.Client(`postgres://worker@127.0.0.1:${server.port}/postgres`);
    await client.connect();
    const inside = 'WITH d AS MATERIALIZED (SELECT least.durable()) SELECT current_setting($1) AS commit FROM d';
    expect((await client.query(inside, ['synchronous_commit'])).rows).toEqual([{ commit: 'on' }]);
    expect((await client.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'off' }]);
    await client.end();
  });
});
