import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { resolveInside } from './paths.ts';
import { privatePlaceOf } from './private-places.ts';

let folder = '';
let before: string | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'rondo-private-')));
  before = process.env['RONDO_HOME'];
  symlinkSync(folder, `${folder}-link`);
  process.env['RONDO_HOME'] = `${folder}-link`;
});
afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(process.env, 'RONDO_HOME');
  else process.env['RONDO_HOME'] = before;
  rmSync(`${folder}-link`);
  rmSync(folder, { recursive: true });
});

test("[S5] Rondo's own home is private by each of its names, except for a session's own folder in it", () => {
  expect([
    privatePlaceOf(`${folder}-link/token`, []) !== undefined,
    privatePlaceOf(`${folder}/token`, []) !== undefined,
    privatePlaceOf(`${folder}/worktrees/a/x`, [`${folder}/worktrees/a`]) !== undefined,
    privatePlaceOf(`${folder}/token`, [`${folder}/worktrees/a`]) !== undefined,
    privatePlaceOf(path.join(os.tmpdir(), 'other'), []) !== undefined,
  ]).toEqual([true, true, false, true, false]);
});

test('[S5] a file tool is refused there, although the folder lies inside a root', async () => {
  expect(await resolveInside(`${folder}/token`, { roots: [os.tmpdir()] })).toMatchObject({
    type: 'outside',
    reason: 'private',
  });
});
