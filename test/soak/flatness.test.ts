import { expect, test } from 'vitest';

import { flatnessOf, type Point } from './flatness.ts';

const limit = { most: 5, part: 0.1 };
const run = (value: (seconds: number) => number): readonly Point[] =>
  Array.from({ length: 101 }, (_, seconds) => ({ seconds, value: value(seconds) }));

test('what rises while it warms up and then stays is flat', () => {
  expect(
    flatnessOf(
      run((seconds) => Math.min(seconds * 10, 400)),
      limit,
    ),
  ).toEqual({
    level: 400,
    rise: 0,
    allowed: 45,
    isFlat: true,
  });
});

test('what rises slowly to the end is not, by how much it rises in the second half', () => {
  expect(
    flatnessOf(
      run((seconds) => 100 + seconds),
      limit,
    ),
  ).toEqual({
    level: 175,
    rise: 50,
    allowed: 22.5,
    isFlat: false,
  });
});

test('a few wild samples do not hide a rise, nor make one', () => {
  const wild = (seconds: number) => (seconds % 7 === 0 ? 1000 : 0);
  expect(
    flatnessOf(
      run((seconds) => 100 + wild(seconds)),
      limit,
    ),
  ).toMatchObject({ level: 100, rise: 0, isFlat: true });
  const { rise, isFlat } = flatnessOf(
    run((seconds) => 100 + seconds - wild(seconds)),
    limit,
  );
  expect([Math.round(rise), isFlat]).toEqual([50, false]);
});

test('a fall is flat enough', () => {
  expect(
    flatnessOf(
      run((seconds) => 200 - seconds),
      limit,
    ).isFlat,
  ).toBe(true);
});
