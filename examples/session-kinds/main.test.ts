import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

test('[C10] [C11] [C12] [C127] [C150] the example shows every kind of session over one contract', async () => {
  const main = path.join(import.meta.dirname, 'main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main]);
  expect(stdout.trim().split('\n')).toEqual([
    'interactive: not-started',
    'interactive: over, You said: hello',
    'headless: nothing yet, null',
    'headless: You said: one; You said: two; null; last You said: two',
    'shared: {"place":"the garden"}, true',
    String.raw`filtered: "\u001b[36mYou said: my key is <key>\u001b[39m", null`,
    "Can't create session ses_filtered: this id is taken. Choose another, or open the session with `sessions.open`.",
    'repl: 1 call; a pond',
    'bob: look (refused): No rule allows this and nobody can be asked in this mode.',
    "eve: Can't create a session: unknown agent eve; use one of ada, bob.",
    'ada again: 3 turns',
    'mode once: completed, You said: only this',
    'loaded: kinds, 3 turns',
    'summed up: completed, true',
    'and on: You said: still there',
  ]);
});
