import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { resolveInside } from './paths.ts';
import { physicalPath } from './physical-path.ts';

function place() {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'rondo-physical-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const root = path.join(folder, 'root');
  mkdirSync(path.join(root, 'sub'), { recursive: true });
  mkdirSync(path.join(folder, 'outside'));
  symlinkSync('.', path.join(root, 'self'));
  symlinkSync(path.join(folder, 'outside'), path.join(root, 'out'));
  return { folder, root };
}

test('[S5][P8] going up from a link goes up from where it leads, as the system does', () => {
  const { folder, root } = place();
  expect(physicalPath(root, 'self/../outside/x')).toBe(path.join(folder, 'outside/x'));
  expect(physicalPath(root, 'out/../root/sub')).toBe(path.join(root, 'sub'));
  expect(physicalPath(root, 'sub/../sub/x')).toBe(path.join(root, 'sub/x'));
  expect(physicalPath(root, 'missing/../sub')).toBe(path.join(root, 'sub'));
  expect(physicalPath(root, 'sub/x')).toBe(path.join(root, 'sub/x'));
});

test.each(['self/../outside/f', 'out/../outside', 'sub/../self/..'])(
  '[S5][P8] %s leads out of the folder and is not inside',
  async (requested) => {
    const { root } = place();
    expect(await resolveInside(requested, { roots: [root] })).toMatchObject({ type: 'outside' });
  },
);
