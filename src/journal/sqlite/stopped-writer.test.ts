// What waits for the lock, without a lock; with real stopped processes: test/process/stopped-owner.test.ts.
import { expect, test } from 'vitest';

import { Fault } from '../../kernel/fault.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { withoutStoppedWriters } from './stopped-writer.ts';
import type { WriterThread } from './writer-thread.ts';

/** A writer that answers as told, in a store that nobody locks. */
async function setUp(...answers: readonly unknown[]) {
  const folder = await temporaryFolder({ 'store.db-shm': '' });
  const left = [...answers];
  const time = { up: 0 };
  let asked = 0;
  const thread = {
    async write() {
      asked += 1;
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    close: async () => undefined,
  } as unknown as WriterThread;
  const writer = withoutStoppedWriters(thread, {
    file: folder.at('store.db'),
    leaseMs: 100,
    uptime: () => time.up,
  });
  const write = (at: number) => {
    time.up = at;
    return writer.write(['renew']);
  };
  return { folder, write, writer, thread, asked: () => asked };
}

const busy = new Fault('busy', 'the store is locked');

test('[O5] writes are answered, and the rest of the writer is unchanged', async () => {
  const { folder, write, writer, thread } = await setUp(1);
  await using _ = folder;
  expect(await write(0)).toBe(1);
  expect(writer.close).toBe(thread.close);
});

test('[O5] a lock is reported to waiters for it, however long, as long as no stopped process holds it', async () => {
  const { folder, write, asked } = await setUp(busy, busy, busy, 4);
  await using _ = folder;
  for (const at of [0, 99, 1000]) await expect(write(at)).rejects.toBe(busy);
  expect(await write(1001)).toBe(4);
  expect(asked()).toBe(4);
});

test('[O5] every other failure is passed on', async () => {
  const [full, bug] = [new Fault('disk-full', 'full'), new Error('a bug')];
  const { folder, write } = await setUp(full, bug);
  await using _ = folder;
  await expect(write(0)).rejects.toBe(full);
  await expect(write(500)).rejects.toBe(bug);
});
