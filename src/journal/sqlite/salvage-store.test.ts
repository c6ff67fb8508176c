import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs';

import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { workerRow } from '../../testing/contracts/job-queue-samples.ts';
import { keyedRecord, record, request } from '../../testing/contracts/journal-samples.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openDriver } from './driver.ts';
import { salvageStore } from './salvage-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const [a, b] = ['ses_a', 'ses_b'] as SessionId[];

/** A store with two sessions of four records each, of which the last has a key. */
async function setUp(change: (run: (sql: string) => void) => void = () => undefined) {
  const folder = await temporaryFolder();
  const file = folder.at('store.db');
  {
    await using store = await openSqliteStore({ path: file });
    for (const session of [a, b]) {
      for (const seq of [0, 1, 2]) {
        await store.journal.append(
          request(seq, [record(`${session} ${seq + 1}`)], { session: session as SessionId }),
        );
      }
      await store.journal.append(
        request(3, [keyedRecord(`${session} 4`, `key of ${session}`)], { session: session as SessionId }),
      );
    }
    await store.jobs.enrol(workerRow('ada'));
  }
  const driver = openDriver(file, { busyTimeoutMs: 1000 });
  change((sql) => driver.exec(sql));
  driver.close();
  return { folder, file };
}

async function left(file: string) {
  await using store = await openSqliteStore({ path: file });
  const read = async (session = a) => {
    const { events, damage } = await store.journal.read(session as SessionId, { after: 0 });
    expect(damage).toBeUndefined();
    return events.map(({ event }) => ('name' in event ? event.name : event.type));
  };
  const events = [await read(a), await read(b)];
  const workers = (await store.jobs.workers()).map(({ name }) => name);
  return { events, workers };
}

function asideIn(file: string): readonly unknown[] {
  const driver = openDriver(file, { busyTimeoutMs: 1000 });
  const rows = driver.all('SELECT session, first, last, reason FROM set_aside ORDER BY session, first');
  driver.close();
  return rows;
}

const names = (session: string, ...seqs: readonly number[]) => seqs.map((seq) => `${session} ${seq}`);

test('[P1] a sound store comes out whole, and the file that was there is kept under another name', async () => {
  const { folder, file } = await setUp();
  await using _ = folder;
  const before = readFileSync(file);
  const text = await salvageStore(file);
  const kept = readdirSync(folder.folder).find((name) => name.includes('.damaged-')) ?? '';
  expect(text).toBe(`8 records of 2 sessions were read out of it; the damaged file is kept as ${folder.at(kept)}`);
  expect(readFileSync(folder.at(kept))).toEqual(before);
  expect(readdirSync(folder.folder).filter((name) => /\.(salvage|new)/.test(name))).toEqual([]);
  expect(await left(file)).toEqual({
    events: [names('ses_a', 1, 2, 3, 4), names('ses_b', 1, 2, 3, 4)],
    workers: ['ada'],
  });
  expect(asideIn(file)).toEqual([]);
});

test('[P1] keeps records up to the first lost or bad one; sets later ones aside with the reason', async () => {
  const { folder, file } = await setUp((run) => {
    run('DELETE FROM records WHERE session = 1 AND first = 2');
    run('UPDATE records SET checksum = checksum + 1 WHERE session = 2 AND first = 4');
  });
  await using _ = folder;
  expect(await salvageStore(file)).toContain(
    '4 records of 2 sessions were read out of it, 3 more were set aside;',
  );
  expect(await left(file)).toMatchObject({ events: [names('ses_a', 1), names('ses_b', 1, 2, 3)] });
  expect(asideIn(file)).toEqual([
    { session: 'ses_a', first: 3, last: 3, reason: 'events 2 to 2 before it are lost' },
    { session: 'ses_a', first: 4, last: 4, reason: 'events 2 to 3 before it are lost' },
    { session: 'ses_b', first: 4, last: 4, reason: 'its checksum does not match' },
  ]);
});

test('[P1] records of an unknown session are set aside, and a key goes with its record', async () => {
  const { folder, file } = await setUp((run) => run('DELETE FROM sessions WHERE number = 1'));
  await using _ = folder;
  expect(await salvageStore(file)).toContain(
    '4 records of 1 sessions were read out of it, 4 more were set aside;',
  );
  expect(asideIn(file)).toEqual(
    [1, 2, 3, 4].map((seq) => ({
      session: 'unknown-1',
      first: seq,
      last: seq,
      reason: 'its session is not known',
    })),
  );
  const driver = openDriver(file, { busyTimeoutMs: 1000 });
  expect(driver.all('SELECT session, key, seq FROM keys')).toEqual([{ session: 2, key: 'key of ses_b', seq: 4 }]);
  driver.close();
});

test('[P1] a record with columns missing is set aside with what is left of it', async () => {
  const { folder, file } = await setUp((run) => {
    run('CREATE TABLE loose AS SELECT * FROM records');
    run('DROP TABLE records');
    run('ALTER TABLE loose RENAME TO records');
    run('UPDATE records SET body = NULL, checksum = NULL, last = NULL WHERE session = 1 AND first = 4');
  });
  await using _ = folder;
  expect(await salvageStore(file)).toContain(
    '7 records of 2 sessions were read out of it, 1 more were set aside;',
  );
  expect(asideIn(file)).toEqual([{ session: 'ses_a', first: 4, last: 0, reason: 'part of it is lost' }]);
});

test('[P1] a file shorter than its header gives an empty store without a log', async () => {
  const { folder, file } = await setUp();
  await using _ = folder;
  truncateSync(file, 50);
  await folder.write('store.db-wal', 'the log');
  await folder.write('store.db-shm', 'the index of the log');
  expect(await salvageStore(file)).toContain('0 records of 0 sessions were read out of it; ');
  const isKept = (name: string) => name.includes('.damaged-') && !name.endsWith('-wal');
  const kept = readdirSync(folder.folder).find(isKept) ?? '';
  expect(readFileSync(folder.at(`${kept}-wal`), 'utf8')).toBe('the log');
  expect(existsSync(folder.at('store.db-shm'))).toBe(false);
  expect(await left(file)).toEqual({ events: [[], []], workers: [] });
});

test('[P1] a file that was cut in the middle is read as far as it goes', async () => {
  const { folder, file } = await setUp();
  await using _ = folder;
  const { length } = readFileSync(file);
  truncateSync(file, length - 4096);
  await salvageStore(file);
  const { events } = await left(file);
  expect(events.flat().length).toBeGreaterThan(0);
});
