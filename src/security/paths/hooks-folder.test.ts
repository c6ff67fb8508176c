import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { hookNames } from './hooks-folder.ts';

test('[S7] every folder that the configuration names for hooks is found: repeated, included, quoted, commented', async () => {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-hooks-')));
  await mkdir(path.join(root, '.git'));
  await writeFile(
    path.join(root, '.git', 'config'),
    '[core]\n\thooksPath = first\n[include]\n\tpath = more\n[CORE]\n\tHooksPath = "tools/hooks" ; ours\n',
  );
  await writeFile(path.join(root, '.git', 'more'), '[core] hooksPath=included # why\n');
  await writeFile(path.join(root, '.git', 'config.worktree'), '[core]\n\thooksPath = .husky/_\n');
  expect(hookNames(root)).toEqual(['first', 'tools/hooks', 'included', '.husky', '.husky/_']);
  await rm(root, { recursive: true });
});
