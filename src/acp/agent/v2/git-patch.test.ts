import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { gitPatch } from './git-patch.ts';

const long = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n');

test.for<readonly [string, string | undefined, string]>([
  ['a new file', undefined, 'one\ntwo\n'],
  ['a new file without a last line break', undefined, 'one'],
  ['a changed line', 'one\ntwo\nthree\n', 'one\n2\nthree\n'],
  ['changes far apart', `${long}\n`, `${long.replace('line 3\n', 'THREE\n').replace('line 35\n', '')}\n`],
  ['a last line that gains its line break', 'one\ntwo', 'one\ntwo\n'],
  ['a last line that stays without', 'one\ntwo', '1\ntwo'],
  ['a file that is emptied', 'one\ntwo\n', ''],
])('[C157] git applies the patch of %s', ([, before, after]) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rondo-patch-'));
  try {
    if (before !== undefined) writeFileSync(path.join(folder, 'f.txt'), before);
    const patch = gitPatch('/f.txt', before, after, 'whole');
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: patch });
    expect(readFileSync(path.join(folder, 'f.txt'), 'utf8')).toBe(after);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('[C157] the end of a part is not the end of its file', () => {
  expect(gitPatch('/a/f.txt', 'two', '2', 'part')).toBe(
    'diff --git a/a/f.txt b/a/f.txt\n--- a/a/f.txt\n+++ b/a/f.txt\n@@ -1,1 +1,1 @@\n-two\n+2\n',
  );
});
