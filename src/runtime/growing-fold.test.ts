import { expect, test } from 'vitest';

import { createGrowingFold } from './growing-fold.ts';

const items = (...numbers: readonly number[]) => numbers.map((value) => ({ value }));

function setUp() {
  const visited: number[] = [];
  const sum = createGrowingFold<{ readonly value: number }, number>({
    start: () => 0,
    add(total, { value }) {
      visited.push(value);
      return total + value;
    },
  });
  return { sum, visited };
}

test('[P10] each item is visited once, however often the list is folded and grows', () => {
  const { sum, visited } = setUp();
  const list = items(1, 2);
  const sums = [sum(list), sum(list)];
  list.push(...items(3));
  sums.push(sum(list), sum(list));
  expect({ sums, visited }).toEqual({ sums: [3, 3, 6, 6], visited: [1, 2, 3] });
});

test.each([
  ['cut', (list: { value: number }[]) => list.splice(1), 1],
  ['emptied', (list: { value: number }[]) => list.splice(0), 0],
  ['cut and grown again', (list: { value: number }[]) => list.splice(1, 2, ...items(5, 7)), 13],
  ['rewritten', (list: { value: number }[]) => list.splice(0, 3, ...items(10, 20, 30)), 60],
])('a list that was %s is folded again', (_, change, expected) => {
  const { sum } = setUp();
  const list = items(1, 2, 3);
  sum(list);
  change(list);
  expect(sum(list)).toBe(expected);
});

test('lists are counted apart', () => {
  const { sum } = setUp();
  const shared = items(1, 2);
  expect([sum(shared), sum([...shared, ...items(4)]), sum(shared)]).toEqual([3, 7, 3]);
});
