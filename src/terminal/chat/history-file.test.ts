import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createHistoryFile } from './history-file.ts';

test('[C129] what was typed is kept for the next run, one line each, readable by its owner alone', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-history-'));
  const file = path.join(folder, 'home', 'history');
  const history = createHistoryFile(file);
  expect(await history.load()).toEqual([]);
  for (const line of ['one', 'two\nlines', 'two\nlines', '  ', 'three']) await history.add(line);
  expect(await createHistoryFile(file).load()).toEqual(['one', 'two\nlines', 'three']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  // Only the damaged line is lost, and only the newest thousand are kept.
  const many = Array.from({ length: 1200 }, (_, index) => `${JSON.stringify(`line ${index}`)}\n`).join('');
  await writeFile(file, `{"broken\n${many}`);
  const kept = await createHistoryFile(file).load();
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, 'line 200', 'line 1199']);
  expect((await readFile(file, 'utf8')).split('\n').length).toBe(1001);
  await rm(folder, { recursive: true });
});
