import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { runGit } from '../../src/git/run-git.ts';
import { createBareRemote, git } from '../fixtures/bare-remote.ts';

test('[P10] output that could be too long for a text ends the command, not the process', async () => {
  const { work } = createBareRemote();
  writeFileSync(path.join(work, 'zeros'), '');
  truncateSync(path.join(work, 'zeros'), 300 * 1024 * 1024);
  const object = git(work, 'hash-object', '-w', 'zeros');
  const call = { cwd: work, dir: 'generated', args: ['cat-file', 'blob', object] } as const;
  expect(await runGit(call)).toEqual({
    type: 'failed',
    message: `git cat-file in ${work} wrote more than Rondo reads.`,
  });
  expect(await runGit({ ...call, outputBytes: 10 })).toMatchObject({ type: 'done', truncated: true });
});
