import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { checkSpace, spaceFinding } from './doctor-space.ts';

const megabyte = 1024 ** 2;
const advice = 'free some space there; `rondo prune --older-than 30d` lists old sessions to remove';

test('doctor calls a disk full, nearly full or neither', () => {
  expect(spaceFinding(0, '/data')).toEqual({
    health: 'broken',
    found: "the disk is full: 0 B free in /data; Rondo can't write sessions",
    advice,
  });
  expect(spaceFinding(100 * megabyte, '/data')).toEqual({
    health: 'missing',
    found: 'the disk is nearly full: 100.0 MB free in /data',
    advice,
  });
  expect(spaceFinding(300 * megabyte, '/data')).toEqual({ health: 'good', found: '300.0 MB free in /data' });
});

test('doctor measures the disk of a folder that is not there yet', async () => {
  const folder = path.join(tmpdir(), 'not', 'there', 'yet');
  expect((await checkSpace(folder)).found).toMatch(new RegExp(`free in ${RegExp.escape(folder)}`));
});
