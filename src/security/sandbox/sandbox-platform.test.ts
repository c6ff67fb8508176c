import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { missingOn } from './sandbox-platform.ts';

test('[S8] only Linux has a sandbox; Windows is referred to WSL2, and the documentation agrees', () => {
  expect((['linux', 'darwin', 'win32', 'freebsd'] as const).map(missingOn)).toEqual([
    undefined,
    'there is no sandbox on macOS yet, so commands are asked about',
    'there is no sandbox on Windows, so commands are asked about; use WSL2',
    'there is no sandbox on freebsd, so commands are asked about',
  ]);
  expect(readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8')).toContain(
    'macOS and Windows have no sandbox, so commands ask. On Windows, use WSL2.',
  );
});
