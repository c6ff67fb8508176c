import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { findTestCommand } from './test-frameworks.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(...files: readonly string[]): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rondo-tests-'));
  folders.push(folder);
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), '');
  }
  return folder;
}

const unittest = ['python3', '-m', 'unittest'];

test.each<[readonly string[], string | undefined, readonly string[]]>([
  [['test_a.py'], undefined, ['discover']],
  [['test_a.py'], 'adds', ['-k', 'adds']],
  [['tests/__init__.py', 'tests/test_a.py'], undefined, ['discover']],
  [['tests/test_a.py'], undefined, ['discover', '-s', 'tests']],
  [['tests/test_a.py'], 'adds', ['discover', '-s', 'tests', '-k', 'adds']],
])('%j with the filter %s: unittest gets the folder to look in', (files, filter, rest) => {
  expect(findTestCommand(folderWith(...files), filter)).toEqual({
    framework: 'unittest',
    argv: [...unittest, ...rest],
  });
});
