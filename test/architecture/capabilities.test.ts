import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { capabilityTable } from '../../scripts/capability-table.ts';
import { carryingTests, testsIn } from '../../scripts/carried-numbers.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('numbers are found in the names of tests, groups and tables, and nowhere else', () => {
  const source = `
    // C1 in a comment
    describe('[C2] a group', () => {
      test('C31: one', () => expect('C4').toBe(1));
      it.skipIf(true)("[P6] [C7] two", run);
      test.each([['a']])('[C8] %s', run);
      test.each<[string]>([
        ['b'],
      ])('[C9] %s', run);
    });`;
  expect(testsIn('x.test.ts', source).map(({ numbers }) => numbers)).toEqual([
    ['C2'],
    ['C31'],
    ['P6', 'C7'],
    ['C8'],
    ['C9'],
  ]);
});

test('docs/capabilities.md tells what the tests carry; `node scripts/capabilities.ts` writes it again', () => {
  const written = readFileSync(path.join(root, 'docs/capabilities.md'), 'utf8');
  expect(written).toBe(capabilityTable(carryingTests(root)));
});
