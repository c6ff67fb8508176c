// `node scripts/capabilities.ts`: regenerates docs/capabilities.md, the rows of the design with the tests that
// carry their numbers. `--check` only reports whether it is up to date; a test does the same.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { capabilityTable } from './capability-table.ts';
import { carryingTests } from './carried-numbers.ts';
import { scriptOptions } from './script-options.ts';

const values = scriptOptions(
  `node scripts/capabilities.ts [--check]

Writes docs/capabilities.md, the rows of the design with the tests that carry their numbers.

  --check  only says whether it is up to date (exit code 1 where it is not)`,
  { check: { type: 'boolean' } },
);
const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'docs/capabilities.md');
const table = capabilityTable(carryingTests(root));
if (values.check === true) {
  const isCurrent = readFileSync(file, 'utf8') === table;
  if (!isCurrent) console.error('docs/capabilities.md is out of date: run `node scripts/capabilities.ts`');
  process.exitCode = isCurrent ? 0 : 1;
} else {
  writeFileSync(file, table);
}
