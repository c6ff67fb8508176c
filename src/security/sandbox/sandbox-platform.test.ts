import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { missingOn } from './sandbox-platform.ts';

test('[S8] only Linux has a sandbox; Windows is referred to WSL2, and the documentation agrees', () => {
  expect((['linux', 'darwin', 'win32', 'freebsd'] as const).map(missingOn)).toEqual([
    undefined,
    'macOS has no sandbox yet, so commands need approval',
    'Windows has no sandbox, so commands need approval; use WSL2',
    'freebsd has no sandbox, so commands need approval',
  ]);
  expect(readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8')).toContain(
    'macOS and Windows have no sandbox, so commands ask. On Windows, use WSL2.',
  );
});
