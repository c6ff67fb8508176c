// `npm run example NAME`, on a recent Node and on an old one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

function example(words: readonly string[], options: readonly string[] = []) {
  const command = [...options, path.join(root, 'scripts/example.cjs'), ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('an example runs by its name, and a wrong name lists those there are', () => {
  expect(example(['jit-executor'])).toEqual({
    status: 0,
    stdout: expect.stringContaining('> explain teapot.ts\n'),
    stderr: '',
  });
  expect(example(['relays'])).toEqual({
    status: 2,
    stdout: '',
    stderr: `Usage: npm run example NAME
NAME is one of: event-loop, jit-executor, relay, session-kinds, workers-and-jobs
`,
  });
});

test('on an old Node an example names the Node it needs and what to run', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rondo-old-node-'));
  try {
    const old = path.join(folder, 'old.cjs');
    writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } });\n");
    expect(example(['relay'], ['--require', old])).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'The examples need Node 24 or newer; this is Node 20.19.0. Run `npm run example relay`, which brings one, or install it.\n',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
