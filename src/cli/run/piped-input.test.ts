import { PassThrough, Readable } from 'node:stream';

import { expect, test } from 'vitest';

import { readPiped } from './piped-input.ts';

const notices: string[] = [];
const tell = (line: string) => void notices.push(line);

test('a pipe is read to its end, whatever it brings and however late', async () => {
  notices.length = 0;
  const stream = new PassThrough();
  const read = readPiped({ kind: 'pipe', stream, tell, patienceMs: 5 });
  await expect.poll(() => notices).toEqual(['Reading standard input to its end; `< /dev/null` runs without it.']);
  stream.write('one\n');
  stream.end('two\n');
  expect(await read).toBe('one\ntwo');
});

test('[P9] a program that says nothing and leaves its socket open holds up no run', async () => {
  expect(await readPiped({ kind: 'socket', stream: new PassThrough(), tell, patienceMs: 5 })).toBe('');
  expect(await readPiped({ kind: 'socket', stream: Readable.from([Buffer.from('hi')]), tell })).toBe('hi');
});

test('nothing is read if nothing is piped', async () => {
  expect(await readPiped({ kind: 'none', stream: new PassThrough(), tell })).toBe('');
});
