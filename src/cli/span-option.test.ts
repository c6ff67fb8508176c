import { expect, test } from 'vitest';

import { sizeFrom, timeFrom } from './span-option.ts';

test('spans and sizes are read in their units, and in no others', () => {
  expect([timeFrom('x', '2w'), timeFrom('x', '1.5 H'), sizeFrom('x', '10MB'), timeFrom('x', undefined)]).toEqual([
    1_209_600_000,
    5_400_000,
    10_485_760,
    undefined,
  ]);
  for (const wrong of ['', '5', '5y', '-1d', '5constructor', 'd']) {
    expect(() => timeFrom('older-than', wrong)).toThrow(
      `--older-than must be a duration such as 30d, 12h or 2w, not "${wrong}"`,
    );
    expect(() => sizeFrom('over', wrong)).toThrow('--over must be a size');
  }
});
