// A session that kills its owners: real processes, each ended by SIGKILL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { beforeEach, describe, expect, test } from 'vitest';

import { noServer } from '../fixtures/postgres/server.ts';
import { freshSchema, hasServer } from '../fixtures/postgres/shared-server.ts';

const program = path.resolve(import.meta.dirname, '../fixtures/dying-owner/main.ts');

/** Runs one owner to its end. */
async function own(folder: string, ...given: readonly string[]) {
  const child = spawn(process.execPath, [program, ...given], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { signal: child.signalCode, lines: out.split('\n').slice(0, -1) };
}

const engines = [
  { engine: 'SQLite', isMissing: false, why: '', storeIn: async (folder: string) => `sqlite:${folder}.db` },
  {
    engine: 'PostgreSQL',
    isMissing: !hasServer(),
    why: hasServer() ? '' : noServer,
    storeIn: () => freshSchema(),
  },
] as const;

describe.each(engines)('a session that kills its owners, on $engine $why', ({ isMissing, storeIn }) => {
  beforeEach(({ skip }) => skip(isMissing));

  test('[O1] [P6] [C153] the fourth process parks it as a crash loop instead of dying, and it works on afterwards', async () => {
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-dying-'));
    const store = await storeIn(path.join(folder.path, 'store'));
    const first = await own(folder.path, store, 'first');
    const ran = [first.lines.slice(1)];
    const signals = [first.signal];
    let ended: readonly string[] = [];
    while (signals.at(-1) === 'SIGKILL' && signals.length < 8) {
      const next = await own(folder.path, store, 'next');
      signals.push(next.signal);
      if (next.signal === null) ended = next.lines;
      else ran.push(next.lines);
    }
    expect({ signals, ran, ended: ended.map((line) => JSON.parse(line) as unknown) }).toEqual({
      signals: ['SIGKILL', 'SIGKILL', 'SIGKILL', null],
      ran: [['attempt 1 in epoch 1'], ['attempt 2 in epoch 2'], ['attempt 3 in epoch 3']],
      ended: [
        {
          ending: { type: 'failed', code: 'crash-loop', message: expect.any(String) as string },
          after: { outcome: 'completed', text: 'fine' },
        },
      ],
    });
  });

  test('[O4] [C153] an owner killed between its claim and the clean-up leaves both to the next one', async () => {
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-dying-'));
    const after = async (deaths: number) => {
      const store = await storeIn(path.join(folder.path, String(deaths)));
      const first = await own(folder.path, store, 'first');
      const dying = [];
      while (dying.length < deaths) dying.push(await own(folder.path, store, 'dying'));
      const last = await own(folder.path, store, 'next', 'before the clean-up');
      return [first.lines.slice(1), ...dying, last];
    };
    const died = { signal: 'SIGKILL', lines: [] };
    expect(await after(1)).toEqual([
      ['attempt 1 in epoch 1'],
      died,
      { signal: null, lines: ['attempt 2 in epoch 3', expect.stringContaining('"text":"fine"')] },
    ]);
    // Three owners in a row: the session is given up, and its tool doesn't run again.
    expect(await after(2)).toEqual([
      ['attempt 1 in epoch 1'],
      died,
      died,
      { signal: null, lines: [expect.stringMatching(/"code":"crash-loop".*"text":"fine"/)] },
    ]);
  });
});
