import { expect, test } from 'vitest';

import { atTurnsEnd } from './at-turns-end.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
test('work is done at the end of the turn, in order, and what it asks for right after all of it', async () => {
  const done: string[] = [];
  atTurnsEnd(() => {
    done.push('a');
    atTurnsEnd(() => done.push('of a'));
  });
  atTurnsEnd(() => done.push('b'));
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(['a', 'b', 'of a']);
});

test('a turn in which much happens is not waited for: when 64 wait, all of it is done', async () => {
  const done: number[] = [];
  for (let index = 0; index < 150; index += 1) atTurnsEnd(() => done.push(index));
  expect(done.length).toBe(128);
  await turn();
  expect(done).toEqual(Array.from({ length: 150 }, (_, index) => index));
});

test('work that asks for much more is not entered again: all of it comes after, in order', async () => {
  const done: (number | string)[] = [];
  atTurnsEnd(() => {
    for (let index = 0; index < 100; index += 1) atTurnsEnd(() => done.push(index));
    done.push('asked');
  });
  await turn();
  expect(done).toEqual(['asked', ...Array.from({ length: 100 }, (_, index) => index)]);
});
