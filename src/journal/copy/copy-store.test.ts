import { existsSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { noNats } from '../../../test/fixtures/nats/server.ts';
import { freshNatsStore } from '../../../test/fixtures/nats/store-under-test.ts';
import { noServer } from '../../../test/fixtures/postgres/server.ts';
import { freshSchema, hasServer } from '../../../test/fixtures/postgres/shared-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { claimable, filing, newJob, workerRow } from '../../testing/contracts/job-queue-samples.ts';
import {
  directoryEntry,
  first,
  keyedRecord,
  questionEntry,
  record,
  request,
  second,
} from '../../testing/contracts/journal-samples.ts';
import { timeAt } from '../../kernel/time.ts';
import type { Store } from '../../ports/store.ts';
import { openNatsStore } from '../nats/nats-store.ts';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import { abandonCopy, copyStore } from './copy-store.ts';
import { columnsOf, copiedTables, type CopiedTable, type CopySide } from './copied-tables.ts';
import { openNatsSide } from './nats-side.ts';
import { openPostgresSide } from './postgres-side.ts';
import { openSqliteSide } from './sqlite-side.ts';

const long = 'k'.repeat(5000);

/** One row or more in every copied table. */
async function fill(store: Store): Promise<void> {
  const { journal, leases, inbox, jobs, hosted, documents, upkeep, blobs } = store;
  const blob = await blobs.put('x'.repeat(300_000));
  const named = JSON.stringify({ type: 'custom', name: 'blob', data: { blob, length: 9, preview: '\0 \ud800' } });
  const claim = leases.create(first);
  const creation = { key: `create ${long}`, digest: 'd' };
  const projection = {
    entry: directoryEntry(first),
    questionsOpened: [questionEntry(first, 'q_1', 1)],
    due: timeAt(7),
  };
  const made = await journal.append(
    request(0, [keyedRecord('a', long), { ...record(), events: [named] }], {
      position: claim.position,
      creation,
      projection,
    }),
  );
  if (made.type !== 'appended') throw new Error(made.type);
  await journal.saveSnapshot(first, { seq: 2, version: 1, body: '{"n":1}' }, { epoch: 1 });
  const letter = await inbox.put(first, { key: 'k', body: '{"letter":1}' });
  await inbox.put(second, { key: 'k2', body: '{"letter":2}' });
  await inbox.bury(letter, { answer: 'no', reason: 'unreadable' });
  await claim.release();
  const other = leases.create(second);
  const position = await journal.append(
    request(0, [record('x'), record('y')], { session: second, position: other.position }),
  );
  if (position.type !== 'appended') throw new Error(position.type);
  await upkeep.setAside(second, { epoch: 1, seq: 2 }, { from: 2, reason: 'test' });
  await other.release();
  await hosted.save(first, '{"hosted":true}');
  await documents.write('tokens', '{"a":1}', 0);
  await jobs.enrol(workerRow('a'));
  await jobs.file([newJob('1', 'a'), newJob('2', 'a', { key: 'file once' })], filing);
  await jobs.claim(claimable());
}

async function contentOf(side: CopySide): Promise<unknown> {
  const tables = copiedTables.map(async (table) => [
    table,
    (await side.page(table, undefined, 100)).map((row) => columnsOf(table).map((column) => row[column])),
  ]);
  return Object.fromEntries((await Promise.all(tables)) as [CopiedTable, unknown][]);
}

const noCheck = async () => undefined;

interface Engine {
  readonly name: string;
  /** Why there is none here. */
  readonly missing: string | undefined;
  readonly fresh: () => Promise<string>;
  readonly openSide: (address: string) => Promise<CopySide>;
  readonly openStore: (address: string) => Promise<Store>;
}

const engines: readonly Engine[] = [
  {
    name: '[C151] PostgreSQL',
    missing: hasServer() ? undefined : noServer,
    fresh: freshSchema,
    openSide: openPostgresSide,
    openStore: (address) => openPostgresStore({ address }),
  },
  {
    name: '[C152] NATS',
    missing: noNats(),
    fresh: () => freshNatsStore(),
    openSide: openNatsSide,
    openStore: (address) => openNatsStore({ address }),
  },
];

describe.each(engines)('store copy: $name', ({ missing, fresh, openSide, openStore }) => {
  test.skipIf(missing !== undefined)(
    `a store goes there and back, row by row the same, and its sources can no longer be opened${missing === undefined ? '' : ` (${missing})`}`,
    async () => {
      await using place = await temporaryFolder();
      const { folder } = place;
      const file = path.join(folder, 'a.db');
      await filled(file);
      await using from = openSqliteSide(file);
      const address = await fresh();
      await using to = await openSide(address);
      expect(await copyStore(from, to, noCheck)).toEqual({ sessions: 2, records: 3, blobs: 1 });
      const content = await contentOf(from);
      expect(await contentOf(to)).toEqual(content);
      expect(
        Object.entries(content as object)
          .filter(([, rows]) => (rows as unknown[]).length === 0)
          .map(([name]) => name),
      ).toEqual(['fork_references']);
      await expect(openSqliteStore({ path: file })).rejects.toThrow('was moved to another store');

      const back = path.join(folder, 'b.db');
      await using again = openSqliteSide(back);
      await copyStore(to, again, noCheck);
      expect(await contentOf(again)).toEqual(content);
      await expect(openStore(address)).rejects.toThrow('was moved to another store');
      expect(existsSync(`${back}.blobs`)).toBe(true);
      await using opened = await openSqliteStore({ path: back });
      expect(await opened.journal.keyed(first, long)).toEqual({ digest: 'digest of a', seq: 1 });
    },
  );

  test.skipIf(missing !== undefined)(
    'the copy works: sessions resume, letters arrive, jobs are claimed',
    async () => {
      await using place = await temporaryFolder();
      const file = place.at('a.db');
      await filled(file);
      const address = await fresh();
      {
        await using from = openSqliteSide(file);
        await using to = await openSide(address);
        await copyStore(from, to, noCheck);
      }
      await using store = await openStore(address);
      const claim = await store.leases.claim(first);
      if (claim.type !== 'claimed') throw new Error('held');
      expect(claim.claim.epoch).toBe(2);
      const { position } = claim.claim;
      expect(await store.journal.append(request(2, [record('b')], { position }))).toMatchObject({
        type: 'appended',
        seq: 3,
      });
      expect(await store.inbox.pending()).toEqual([second]);
      expect((await store.inbox.put(second, { key: 'k3', body: '{}' })) > 2).toBe(true);
      expect((await store.jobs.claim(claimable())).job).toMatchObject({ id: 'job_1', attempt: 2 });
      expect(await store.upkeep.blobsOf(first)).toHaveLength(1);
    },
  );

  test.skipIf(missing !== undefined)('a copy that was stopped continues', async () => {
    await using place = await temporaryFolder();
    const file = place.at('a.db');
    await filled(file);
    await using from = openSqliteSide(file);
    for (const stopAt of ['records', 'inbox', 'jobs'] as const) {
      const address = await fresh();
      await using to = await openSide(address);
      const broken: CopySide = Object.create(to, {
        put: {
          value: (table: CopiedTable, rows: never) =>
            table === stopAt ? Promise.reject(new Error('stopped')) : to.put(table, rows),
        },
      }) as CopySide;
      await expect(copyStore(from, broken, noCheck)).rejects.toThrow('stopped');
      await expect(openStore(address)).rejects.toThrow('incomplete copy');
      await expect(openSqliteStore({ path: file })).rejects.toThrow('was moved');
      expect(await copyStore(from, to, noCheck)).toEqual({ sessions: 2, records: 3, blobs: 1 });
      await from.setState('ready');
    }
  });
});

/** A side whose process dies: a call and all later ones fail. */
function dying(side: CopySide, life: { calls: number; readonly diesAt: number }) {
  const mortal =
    <Args extends readonly unknown[], Value>(call: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      life.calls += 1;
      if (life.calls >= life.diesAt) throw new Error('died');
      return call(...args);
    };
  const { enter, leave, state, setState, living, page, put, last, blobs } = side;
  const calls = {
    enter: mortal(enter),
    leave: mortal(leave),
    state: mortal(state),
    setState: mortal(setState),
    living: mortal(living),
    page: mortal(page),
    put: mortal(put),
    last: mortal(last),
  };
  const stored = Object.create(blobs, { put: { value: mortal(blobs.put.bind(blobs)) } }) as typeof blobs;
  return Object.assign(Object.create(side) as CopySide, calls, { blobs: stored });
}

const postgres = { openSide: openPostgresSide, missing: hasServer() ? '' : noServer };

describe('[C151] store copy', () => {
  test.skipIf(postgres.missing !== '')(
    `[C151] at most one of two concurrent copies continues, whatever their targets ${postgres.missing}`,
    async () => {
      await using place = await temporaryFolder();
      const file = place.at('a.db');
      await filled(file);
      const [same, other] = [await freshSchema(), await freshSchema()];
      await using from = openSqliteSide(file);
      await using beside = openSqliteSide(file);
      await using target = await openPostgresSide(same);
      const checked = Promise.withResolvers<void>();
      const isChecked = Promise.withResolvers<void>();
      const copied = copyStore(from, target, () => (isChecked.resolve(), checked.promise));
      await isChecked.promise;
      for (const address of [same, other]) {
        await using again = await openPostgresSide(address);
        await expect(copyStore(beside, again, noCheck)).rejects.toThrow(`process ${process.pid} on`);
        const problem = address === same ? `process ${process.pid} on` : 'no unfinished copy';
        await expect(abandonCopy(beside, again)).rejects.toThrow(problem);
      }
      checked.resolve();
      expect(await copied).toEqual({ sessions: 2, records: 3, blobs: 1 });
      await using store = await openPostgresStore({ address: same });
      expect(await store.upkeep.sessions()).toEqual([first, second]);
    },
  );

  test.skipIf(postgres.missing !== '')(
    `[C151] a title with a NUL and half a character can be copied to SQLite ${postgres.missing}`,
    async () => {
      await using place = await temporaryFolder();
      const address = await freshSchema();
      const title = 'nul \0, half \ud83d, sub \u001a, whole 👩‍👩‍👧';
      {
        await using store = await openPostgresStore({ address });
        const { position, release } = store.leases.create(first);
        const projection = { entry: { ...directoryEntry(first), title } };
        expect(await store.journal.append(request(0, [record('a')], { position, projection }))).toMatchObject({
          type: 'appended',
        });
        await release();
      }
      await using from = await openPostgresSide(address);
      await using to = openSqliteSide(place.at('b.db'));
      expect(await copyStore(from, to, noCheck)).toEqual({ sessions: 1, records: 1, blobs: 0 });
      expect(await to.page('directory', undefined, 1)).toMatchObject([{ title: title.toWellFormed() }]);
    },
  );

  test.skipIf(postgres.missing !== '')(
    `[C151] a page whose answer was lost is put again and is there once ${postgres.missing}`,
    async () => {
      await using place = await temporaryFolder();
      const file = place.at('a.db');
      await filled(file);
      await using from = openSqliteSide(file);
      await using to = await openPostgresSide(await freshSchema());
      for (const table of copiedTables) {
        const page = await from.page(table, undefined, 100);
        await to.put(table, page);
        await to.put(table, page);
      }
      expect(await contentOf(to)).toEqual(await contentOf(from));
    },
  );

  describe.each([
    { to: 'SQLite', missing: '', step: 1 },
    { to: 'PostgreSQL', missing: postgres.missing, step: 11 },
  ])('[C151] to $to', ({ to: engine, missing, step }) => {
    test.skipIf(missing !== '')(
      `a copy that is killed at any call continues with the same command ${missing}`,
      async () => {
        await using place = await temporaryFolder();
        const file = place.at('a.db');
        await filled(file);
        const content = await (async () => {
          await using from = openSqliteSide(file);
          return contentOf(from);
        })();
        const ends: unknown[] = [];
        let isComplete = false;
        for (let diesAt = 1; !isComplete; diesAt += step) {
          const address = engine === 'SQLite' ? place.at(`b-${diesAt}.db`) : await freshSchema();
          const openTarget = async () =>
            engine === 'SQLite' ? openSqliteSide(address) : await openPostgresSide(address);
          const life = { calls: 0, diesAt };
          {
            await using from = openSqliteSide(file);
            await using to = await openTarget();
            const copied = copyStore(dying(from, life), dying(to, life), noCheck);
            isComplete = await copied.then(
              () => true,
              () => false,
            );
          }
          await using from = openSqliteSide(file);
          await using to = await openTarget();
          const answer = await copyStore(from, to, noCheck).then(
            () => 'copied',
            (error: unknown) => String(error),
          );
          // Killed after its last step, it is complete.
          const isRight = answer === 'copied' || answer.includes('was moved already');
          const isSame = JSON.stringify(await contentOf(to)) === JSON.stringify(content);
          ends.push([diesAt, isRight, await to.state(), await from.state(), isSame]);
          await from.setState('ready');
        }
        expect(ends).toEqual(ends.map((_, index) => [1 + index * step, true, 'ready', 'moved', true]));
        expect(ends.length * step).toBeGreaterThan(30);
      },
    );
  });

  test('[C151] a copy that was stopped can be given up: its source can be opened, its target cannot', async () => {
    await using place = await temporaryFolder();
    const file = place.at('a.db');
    await filled(file);
    await using from = openSqliteSide(file);
    await using to = openSqliteSide(place.at('b.db'));
    const stopped = () => Promise.reject(new Error('stopped'));
    await expect(copyStore(from, to, stopped)).rejects.toThrow('stopped');
    await abandonCopy(from, to);
    await using opened = await openSqliteStore({ path: file });
    expect(await opened.upkeep.sessions()).toEqual([first, second]);
    await expect(openSqliteStore({ path: place.at('b.db') })).rejects.toThrow('incomplete copy');
    await expect(copyStore(from, to, noCheck)).rejects.toThrow('already has content');
  });

  test('[C151] nothing is changed while a process uses a store, or where the target has content', async () => {
    await using place = await temporaryFolder();
    const { folder } = place;
    const file = path.join(folder, 'a.db');
    await using store = await openSqliteStore({ path: file });
    await fill(store);
    await using from = openSqliteSide(file);
    await using to = openSqliteSide(path.join(folder, 'b.db'));
    await expect(copyStore(from, to, noCheck)).rejects.toThrow(`process ${process.pid} on`);
    expect([await from.state(), await to.state()]).toEqual(['ready', 'ready']);
    await expect(abandonCopy(from, to)).rejects.toThrow('no unfinished copy');
  });
});

async function filled(file: string): Promise<void> {
  await using store = await openSqliteStore({ path: file });
  await fill(store);
}
