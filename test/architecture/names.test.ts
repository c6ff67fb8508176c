import { readFileSync, globSync } from 'node:fs';

import { expect, test } from 'vitest';

/** Folders whose exports are named by a table that a reader knows, and why. */
const namedByTable: readonly (readonly [folder: string, reason: string])[] = [
  ['src/commands/', 'the constant of a slash command has its name'],
  ['src/journal/event-schema/', 'a schema has the name of the field that it checks'],
  ['src/testing/', 'the vocabulary of tests names inputs as tests read'],
];

/** Stores implement the same parts, so these folders share their names. */
const stores = /^src\/journal\/(?:memory|nats|postgres|sqlite)\//;

const declaration =
  /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|interface|type) +(?<name>[A-Za-z0-9_]+)/gm;

test('an exported name has one meaning in src', () => {
  const places = new Map<string, Set<string>>();
  for (const file of globSync('src/**/*.ts').toSorted()) {
    if (file.endsWith('.test.ts') || namedByTable.some(([folder]) => file.startsWith(folder))) continue;
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
