import { expect, test } from 'vitest';

import { eachInTurn } from './process-table.ts';

test('[P10] other work goes on while many processes are looked at', async () => {
  const order: unknown[] = [];
  setImmediate(() => order.push('other work'));
  await eachInTurn([...Array(40).keys()], (number) => order.push(number));
  expect(order).toEqual([
    ...Array(15).keys(),
    'other work',
    ...Array.from({ length: 25 }, (_, index) => 15 + index),
  ]);
});
