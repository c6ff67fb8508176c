// A store whose files are truncated anywhere: the log opens up to the cut by itself, the database after a repair.
import { copyFile, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { SessionId } from '../../src/kernel/ids.ts';
import { workerRow } from '../../src/testing/contracts/job-queue-samples.ts';
import { record, request } from '../../src/testing/contracts/journal-samples.ts';
import { salvageStore } from '../../src/journal/sqlite/salvage-store.ts';
import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';

const sessions = ['ses_a', 'ses_b', 'ses_c'] as SessionId[];
const rounds = 40;
let folder: string;
let whole: string;

/** Three sessions, written in turn; some records fill several pages. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-cut-'));
  whole = path.join(folder, 'whole.db');
  const store = await openSqliteStore({ path: whole });
  for (let round = 0; round < rounds; round += 1) {
    for (const session of sessions) {
      const long = round % 10 === 3 ? 'x'.repeat(9000) : 'x'.repeat(200);
      await store.journal.append(request(round, [record(`${session} ${round} ${long}`)], { session }));
    }
  }
  await copyFile(whole, path.join(folder, 'running.db'));
  await copyFile(`${whole}-wal`, path.join(folder, 'running.db-wal'));
  await store[Symbol.asyncDispose]();
});
afterAll(() => rm(folder, { recursive: true }));

let copies = 0;
async function cutCopy(from: string, which: '' | '-wal', at: number): Promise<string> {
  copies += 1;
  const file = path.join(folder, `cut-${copies}.db`);
  await copyFile(from, file);
  if (which === '-wal') await copyFile(`${from}-wal`, `${file}-wal`);
  await using handle = await open(`${file}${which}`, 'r+');
  await handle.truncate(at);
  return file;
}

/** How far each session can be read. Every readable event must be the one that was written. */
async function reached(file: string): Promise<readonly number[]> {
  await using store = await openSqliteStore({ path: file });
  const lengths: number[] = [];
  for (const session of sessions) {
    const { events, damage } = await store.journal.read(session, { after: 0 });
    expect(damage).toBeUndefined();
    for (const [index, { seq, event }] of events.entries()) {
      expect([seq, event]).toEqual([index + 1, expect.objectContaining({ type: 'custom' })]);
      expect('name' in event && event.name.startsWith(`${session} ${index} `)).toBe(true);
    }
    lengths.push(events.length);
  }
  expect(await store.upkeep.problems()).toEqual([]);
  return lengths;
}

test('[P1] a log that is cut off at any byte opens up to the cut', { timeout: 180_000 }, async () => {
  const running = path.join(folder, 'running.db');
  const { size } = await stat(`${running}-wal`);
  expect(await reached(await cutCopy(running, '-wal', size))).toEqual([rounds, rounds, rounds]);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: size - 1 }), async (cut) => {
      const [a = 0, b = 0, c = 0] = await reached(await cutCopy(running, '-wal', cut));
      // Written in turn, so none is more than one ahead: nothing in between is missing.
      expect(a - c).toBeGreaterThanOrEqual(0);
      expect(a - c).toBeLessThanOrEqual(1);
      expect([a, c]).toContain(b);
    }),
    { numRuns: 50 },
  );
});

test(
  '[P1] a database that is cut off at any byte gives what is left of it to a repair, and is kept',
  { timeout: 180_000 },
  async () => {
    const { size } = await stat(whole);
    let most = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: size - 1 }), async (cut) => {
        const file = await cutCopy(whole, '', cut);
        expect(await salvageStore(file)).toContain('the damaged file is kept as');
        const lengths = await reached(file);
        most = Math.max(most, ...lengths);
        await using store = await openSqliteStore({ path: file });
        const [session = sessions[0] as SessionId] = await store.upkeep.sessions();
        const { seq = 0 } = (await store.journal.head(session)) ?? {};
        const claim = await store.leases.claim(session);
        if (claim.type !== 'claimed') throw new Error('The session is held.');
        const { position } = claim.claim;
        expect(await store.journal.append(request(seq, [record('goes on')], { session, position }))).toMatchObject(
          {
            type: 'appended',
            seq: seq + 1,
          },
        );
      }),
      { numRuns: 25, examples: [[size - 1], [size - 4096], [4096], [50], [0]] },
    );
    expect(most).toBeGreaterThan(rounds / 2);
    const kept = (await readdir(folder)).filter((name) => name.includes('.damaged-'));
    expect(kept.length).toBe(25);
  },
);

test('a repair keeps workers, though their tables are made only when they are first used', async () => {
  const file = path.join(folder, 'workers.db');
  {
    await using store = await openSqliteStore({ path: file });
    await store.jobs.enrol(workerRow('ada'));
  }
  await salvageStore(file);
  await using store = await openSqliteStore({ path: file });
  expect(await store.jobs.workers()).toEqual([workerRow('ada')]);
});
