import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { deepFreeze } from '../testing/given.ts';
import {
  countWhile,
  itemAt,
  itemsBetween,
  listAppended,
  listChanged,
  newList,
  type PersistentList,
} from './persistent-list.ts';

const listOf = (items: readonly number[]): PersistentList<number> =>
  items.reduce<PersistentList<number>>(listAppended, newList());
const all = <T>(list: PersistentList<T>): readonly T[] => itemsBetween(list, 0, list.length);

test('holds what was appended and changed, and leaves the list it came from alone', () => {
  fc.assert(
    fc.property(fc.nat({ max: 3000 }), fc.nat(), (length, pick) => {
      const items = Array.from({ length }, (_, index) => index);
      const list = deepFreeze(listOf(items));
      const place = length === 0 ? 0 : pick % length;
      const changed = listChanged(list, place, (item) => -item - 1);
      expect(all(list)).toEqual(items);
      expect(all(changed)).toEqual(items.map((item) => (item === place ? -item - 1 : item)));
      expect(all(listAppended(changed, 7)).length).toBe(length + 1);
      expect(listOf(items)).toEqual(list);
    }),
    { numRuns: 30 },
  );
});

test('has nothing outside its ends', () => {
  const list = listOf([1, 2, 3]);
  expect([itemAt(list, -1), itemAt(list, 3), itemAt(newList(), 0)]).toEqual([undefined, undefined, undefined]);
  expect(listChanged(list, 3, () => 9)).toBe(list);
  expect(itemsBetween(list, -5, 50)).toEqual([1, 2, 3]);
});

test('counts the leading items that pass, without reading them all', () => {
  const list = listOf(Array.from({ length: 5000 }, (_, index) => index));
  let reads = 0;
  const count = countWhile(list, (item) => {
    reads += 1;
    return item < 1234;
  });
  expect(count).toBe(1234);
  expect(reads).toBeLessThan(15);
});
