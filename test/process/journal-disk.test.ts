import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import { first, record, request, second } from '../../src/testing/contracts/journal-samples.ts';
import { recordProof } from '../proof/proof-record.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'rondo-disk-'));
const isMounted = mount('-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder);
const file = path.join(folder, 'store.db');

afterAll(() => {
  if (isMounted) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
});

it.skipIf(!isMounted)(
  'writes whole appends or nothing on a full disk, and goes on when there is room again [P1]',
  async () => {
    const filler = path.join(folder, 'filler');
    const { bavail, bsize } = statfsSync(folder);
    const store = await openSqliteStore({ path: file });
    await store.journal.append(request(0, [record('a')]));
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 1_600_000));
    const { seq, fault } = await appendUntilFault(store);
    expect(fault).toMatchObject({
      name: 'Fault',
      code: 'disk-full',
      message: expect.stringContaining(
        `Appending to session ${first} in ${file} failed: the disk is full.`,
      ) as string,
    });
    await expect(store.journal.append(request(0, [big], { session: second }))).rejects.toMatchObject({
      code: 'disk-full',
    });
    const page = await store.journal.read(first, { after: 0 });
    expect({ count: page.events.length, last: page.last, damage: page.damage }).toEqual({ count: seq, last: seq });
    expect(await store.journal.head(second)).toBeUndefined();
    rmSync(filler);
    expect(await store.journal.append(request(seq, [record('room again')]))).toMatchObject({
      type: 'appended',
      seq: seq + 1,
    });
    expect(await store.journal.append(request(0, [big], { session: second }))).toMatchObject({
      type: 'appended',
      seq: 1,
    });
    await store[Symbol.asyncDispose]();
    const faults = { 'write without room': 2 };
    recordProof({ name: 'journal on a full disk', runs: 1, faults, acknowledged: seq });
  },
);

it.skipIf(!isMounted)('refuses a store on a read-only disk, naming the file', async () => {
  const writable = await openSqliteStore({ path: file });
  await writable[Symbol.asyncDispose]();
  mount('-o', 'remount,ro', folder);
  const opened = openSqliteStore({ path: file });
  await expect(opened).rejects.toMatchObject({
    name: 'Fault',
    code: 'read-only',
    message: expect.stringContaining(`Opening the store in ${file} failed: it may not be written.`) as string,
  });
  mount('-o', 'remount,rw', folder);
});

const big = record('x'.repeat(50_000));

async function appendUntilFault({ journal }: Awaited<ReturnType<typeof openSqliteStore>>) {
  for (let seq = 1; ; seq += 1) {
    try {
      await journal.append(request(seq, [big]));
    } catch (fault) {
      return { seq, fault };
    }
  }
}

/** Needs root; without it the tests are skipped. */
function mount(...options: readonly string[]): boolean {
  try {
    execFileSync('mount', options, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
