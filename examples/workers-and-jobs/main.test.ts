import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

test('[C54] [C56] [C57] [C58] [C59] [C68] the example shows the life of workers and jobs', async () => {
  const main = path.join(import.meta.dirname, 'main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main]);
  expect(stdout.trim().split('\n')).toEqual([
    "ada's job is running",
    "ada's job is waiting",
    'ada asks: approval',
    "ada's job is running",
    'ada says: Done: ',
    'ada says: save the report',
    'ada says: .',
    "ada's job is completed",
    'continuation: Done: save the report.',
    'result: Done: save the report.',
    'result: Done: count the files.',
    'result: Done: read the notes.',
    'result: Done: sum it up.',
    "bob's job: cancelled",
    'all: cancelled, cancelled',
    'listed: read page 3, read page 4, read page 5',
    'still known: Done: read the notes.',
    'closed',
  ]);
});
