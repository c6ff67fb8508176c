import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { missingOn } from './sandbox-platform.ts';

test('[S8] only Linux has a sandbox; Windows is referred to WSL2, and the documentation agrees', () => {
  expect((['linux', 'darwin', 'win32', 'freebsd'] as const).map(missingOn)).toEqual([
    undefined,
    'no sandbox on macOS yet, so commands need approval',
    'no sandbox on Windows, so commands need approval; use WSL2',
    'no sandbox on freebsd, so commands need approval',
  ]);
  expect(readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8')).toContain(
    'macOS and Windows have no sandbox: commands are asked about. On Windows, use WSL2.',
  );
});
