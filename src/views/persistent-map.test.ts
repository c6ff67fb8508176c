import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { deepFreeze } from '../testing/given.ts';
import { mapEntries, mapWith, newMap, mapValue, type PersistentMap } from './persistent-map.ts';

test('holds the newest value of each key, whatever the keys are', () => {
  const keys = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', ''),
    fc.nat({ max: 500 }).map(String),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.nat()), { maxLength: 800 }), (entries) => {
      const map = entries.reduce<PersistentMap<number>>(
        (grown, [key, value]) => deepFreeze(mapWith(grown, key, value)),
        newMap(),
      );
      const expected = new Map(entries);
      expect(mapEntries(map).map(({ key, value }) => [key, value])).toEqual(
        [...expected].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      );
      for (const [key, value] of expected) expect(mapValue(map, key)).toBe(value);
      expect(mapValue(map, 'never there')).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

test('keeps keys whose hashes agree apart', () => {
  // These two keys have the same 32-bit hash. With enough others they end up at the deepest level.
  const keys = ['costarring', 'liquid', ...Array.from({ length: 5000 }, (_, index) => `call_${index}`)];
  const map = keys.reduce<PersistentMap<number>>((grown, key, index) => mapWith(grown, key, index), newMap());
  expect(keys.filter((key, index) => mapValue(map, key) !== index)).toEqual([]);
});
