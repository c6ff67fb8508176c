// The log of the SQLite file stays short, whichever processes commit.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openDriver } from '../../src/journal/sqlite/driver.ts';
import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import { record, request } from '../../src/testing/contracts/journal-samples.ts';

const most = 32 * 1024 ** 2;

async function newFile(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return path.join(folder, 'store.db');
}

const logOf = (file: string) => statSync(`${file}-wal`).size;

test('[P10] 3,200 commits of short commands beside an idle server leave a log of less than 32 MB', async () => {
  const file = await newFile();
  await using server = await openSqliteStore({ path: file });
  await server.journal.append(request(0, [record('a')]));
  let largest = 0;
  // Sequential: two at once contend for the file's lock and start their writer threads.
  for (let time = 0; time < 32; time += 1) {
    const child = fork(path.join(import.meta.dirname, 'journal-child.ts'), [file, 'short', '100'], {
      execArgv: [],
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    largest = Math.max(largest, logOf(file));
  }
  expect(largest).toBeLessThan(most);
  expect((await server.upkeep.sessions()).length).toBe(33);
}, 120_000);

test.each(['adaptive', 'thread'] as const)(
  '[P10] a reader that holds on to old pages for a while does not let the log grow past 32 MB (%s)',
  async (commits) => {
    const file = await newFile();
    await using store = await openSqliteStore({ path: file, commits });
    await store.journal.append(request(0, [record('a')]));
    const reader = openDriver(file, { busyTimeoutMs: 0 });
    reader.exec('BEGIN; SELECT count(*) FROM records');
    let largest = 0;
    let isHolding = true;
    for (let expected = 1; expected < 450; expected += 1) {
      await store.journal.append(request(expected, [record('x'.repeat(200_000))]));
      largest = Math.max(largest, logOf(file));
      if (isHolding && largest > 14 * 1024 ** 2) {
        isHolding = false;
        // Commits that don't wait for the reader reach the limit in this time, on a slow machine too.
        setTimeout(() => reader.close(), 2000);
      }
    }
    expect(largest).toBeLessThan(most);
    expect(logOf(file)).toBeLessThan(most / 2);
  },
  60_000,
);
