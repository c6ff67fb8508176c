// With `--help` or an unknown option, a script prints its usage and does nothing.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const texts = new Map(
  globSync('scripts/*.ts', { cwd: root }).map(
    (file) => [file, readFileSync(path.join(root, file), 'utf8')] as const,
  ),
);
/** All scripts that use `scriptOptions` behave like these two; the others are tested one by one. */
const asked = [
  'scripts/build-web.ts',
  'scripts/capabilities.ts',
  'scripts/check.ts',
  'scripts/interop.ts',
  'scripts/test-file.ts',
  'bench/run.ts',
];

interface Ended {
  readonly code: number | string | null;
  readonly out: string;
  readonly err: string;
}

function run(file: string, option: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, option], { cwd: root }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });
}

test('every script that is run by hand reads its options before it does anything', () => {
  const byHand = /^\/\/ (?:`(?:node scripts\/|npm run )|.*\n\/\/\n\/\/ {5}node scripts\/)/;
  const others = [...texts].filter(([file, text]) => byHand.test(text) && !asked.includes(file));
  expect(others.length).toBeGreaterThan(7);
  expect(others.filter(([, text]) => !text.includes('scriptOptions(')).map(([file]) => file)).toEqual([]);
});

test.each(asked)('%s tells how it is used', async (file) => {
  const help = await run(file, '--help');
  expect(help).toEqual({ code: 0, out: expect.stringMatching(/^(?:npm run|node) /), err: '' });
  const wrong = await run(file, '--nonsense');
  expect(wrong).toEqual({ code: 2, out: '', err: expect.stringContaining('--nonsense') });
  expect(wrong.err.endsWith(`\n\n${help.out}`)).toBe(true);
});
