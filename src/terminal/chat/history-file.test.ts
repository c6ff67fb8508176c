import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createHistoryFile } from './history-file.ts';

test('[C129] typed prompts are kept for the next run, one per line, readable only by their owner', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-history-'));
  const file = path.join(folder, 'home', 'history');
  const history = createHistoryFile(file, '/here');
  expect(await history.load()).toEqual([]);
  for (const line of ['one', 'two\nlines', 'two\nlines', '  ', 'three']) await history.add(line);
  expect(await createHistoryFile(file, '/here').load()).toEqual(['one', 'two\nlines', 'three']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  // Another folder has its own, and shares what the first release wrote.
  const elsewhere = createHistoryFile(file, '/elsewhere');
  expect(await elsewhere.load()).toEqual([]);
  await writeFile(file, '"old"\n["mine","/elsewhere"]\n["other","/here"]\n');
  expect(await elsewhere.load()).toEqual(['old', 'mine']);

  // Only the damaged line is lost, and only the newest are kept.
  const many = Array.from({ length: 5200 }, (_, index) => `${JSON.stringify(`line ${index}`)}\n`).join('');
  await writeFile(file, `{"broken\n${many}`);
  const kept = await createHistoryFile(file, '/here').load();
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([5000, 'line 200', 'line 5199']);
  expect((await readFile(file, 'utf8')).split('\n').length).toBe(5001);
  await rm(folder, { recursive: true });
});
