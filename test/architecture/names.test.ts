import { readFileSync, globSync } from 'node:fs';

import { expect, test } from 'vitest';

/** Stores implement the same parts, so these folders share their names. */
const stores = /^src\/journal\/(?:memory|nats|postgres|sqlite)\//;

const declaration =
  /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|interface|type) +(?<name>[A-Za-z0-9_]+)/gm;

test('an exported name has one meaning in src', () => {
  const places = new Map<string, Set<string>>();
  for (const file of globSync('src/**/*.ts').toSorted()) {
    // The vocabulary of tests names inputs as tests read.
    if (file.endsWith('.test.ts') || file.startsWith('src/testing/')) continue;
    for (const { groups } of readFileSync(file, 'utf8').matchAll(declaration)) {
      const name = groups?.['name'] ?? '';
      places.set(name, (places.get(name) ?? new Set()).add(stores.test(file) ? 'the stores' : file));
    }
  }
  const twice = [...places]
    .filter(([, files]) => files.size > 1)
    .map(([name, files]) => `${name}: ${[...files].join(', ')}`);
  expect(twice).toEqual([]);
});
