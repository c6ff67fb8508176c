import { expect, test } from 'vitest';

import { createNameIndex } from './name-index.ts';

function indexOf(...names: readonly string[]) {
  const index = createNameIndex();
  for (const name of names) index.add(name);
  return index;
}

test('[C150] the exact name comes first, then beginnings, parts, and letters in order', () => {
  const index = indexOf(
    'docs/cart.md',
    'src/cart/',
    'src/cart/total.ts',
    'src/cart/total.test.ts',
    'src/total-cost.ts',
    'test/tools/oats/latin.txt',
    'README.md',
  );
  expect(index.search('total.ts', 9)).toEqual([
    'src/cart/total.ts',
    'src/total-cost.ts',
    'src/cart/total.test.ts',
  ]);
  expect(index.search('cart', 2)).toEqual(['src/cart/', 'docs/cart.md']);
  expect(index.search('RDM', 1)).toEqual(['README.md']);
  expect(index.search('zzz', 5)).toEqual([]);
});

test('[C150] in 100,000 names a keystroke examines only names with its letters, and a longer query only earlier matches', () => {
  const index = createNameIndex();
  const folders = ['billing', 'cart', 'ingest', 'invoice', 'search', 'session', 'terminal', 'web'];
  for (let file = 0; file < 100_000; file += 1)
    index.add(`packages/${folders[file % 8]}/src/part-${file % 97}/file-${file}.ts`);
  index.add('packages/web/src/zebra-quilt.ts');
  expect(index.size).toBe(100_001);
  // The query as it is fills the list, so nothing is compared letter by letter.
  expect(index.search('invo', 8)).toHaveLength(8);
  expect(index.examined).toBe(0);
  expect(index.search('zbq', 8)).toEqual(['packages/web/src/zebra-quilt.ts']);
  expect(index.examined).toBe(1);
  // Only names below `billing` and `web` have both letters, and in none of them does k follow b.
  expect(index.search('bk', 8)).toEqual([]);
  expect(index.examined).toBe(25_001);
  expect(index.search('bkt', 8)).toEqual([]);
  expect(index.examined).toBe(0);
});
