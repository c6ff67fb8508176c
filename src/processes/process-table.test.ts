import { expect, test } from 'vitest';

import { createSharedTable, eachInTurn, type ProcessTable } from './process-table.ts';

test('[P10] other work continues while many processes are checked', async () => {
  const order: unknown[] = [];
  setImmediate(() => order.push('other work'));
  await eachInTurn([...Array(40).keys()], (number) => order.push(number));
  expect(order).toEqual([
    ...Array(15).keys(),
    'other work',
    ...Array.from({ length: 25 }, (_, index) => 15 + index),
  ]);
});

test('[O4] [P10] many that look at once share a table, which is read after each of them asked', async () => {
  let reads = 0;
  let end = () => {};
  const table = createSharedTable(async () => {
    reads += 1;
    const read = reads;
    await new Promise<void>((resolve) => (end = resolve));
    if (read === 2) throw new Error('no processes here');
    return { read } as unknown as ProcessTable;
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const before = table();
  await settled();
  // The first one is being read: what started since may be missing there.
  const during = [table(), table()];
  await settled();
  expect(reads).toBe(1);
  end();
  expect(await before).toEqual({ read: 1 });
  await settled();
  const after = table();
  end();
  expect((await Promise.allSettled(during)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await settled();
  end();
  expect([await after, reads]).toEqual([{ read: 3 }, 3]);
});
