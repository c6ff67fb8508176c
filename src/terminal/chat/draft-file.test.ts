import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createDraftFile } from './draft-file.ts';

test('[C129] the draft of a killed chat is given once, to the next chat in its folder', async () => {
  const home = await mkdtemp(path.join(os.tmpdir(), 'rondo-drafts-'));
  let time = 0;
  const running = new Set([11, 12]);
  const chat = (pid: number, folder = '/here') =>
    createDraftFile({ home, folder, pid, isRunning: (other) => running.has(other), now: () => time });
  const killed = chat(11);
  killed.keep(['half', ' ']);
  expect(await readdir(home)).toEqual([]);
  time = 600;
  killed.keep(['half', ' ']);
  const file = path.join(home, 'drafts', '11.json');
  await expect
    .poll(() =>
      stat(file).then(
        ({ mode }) => mode & 0o777,
        () => 0,
      ),
    )
    .toBe(0o600);
  // Its owner still runs.
  expect(await chat(12).left()).toEqual([]);
  running.delete(11);
  expect(await chat(12, '/elsewhere').left()).toEqual([]);
  expect(await chat(12).left()).toEqual(['half']);
  expect(await chat(12).left()).toEqual([]);

  const ended = chat(12);
  time = 1000;
  ended.keep(['more']);
  time = 2000;
  ended.keep(['more']);
  await ended.end();
  expect(await readdir(path.join(home, 'drafts'))).toEqual([]);
  await rm(home, { recursive: true });
});
