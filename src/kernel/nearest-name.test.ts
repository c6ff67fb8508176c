import { expect, test } from 'vitest';

import { editDistance, nearestName, suggestName } from './nearest-name.ts';

test.each([
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['model', 'model', 0],
  ['modle', 'model', 1],
  ['abc', '', 3],
])('from %j to %j it is %i letters', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

test('[C115] the nearest name is suggested, a far one is not', () => {
  expect(nearestName('modle', ['mode', 'model', 'endpoint'])).toBe('model');
  expect(nearestName('Coder', ['reviewer', 'coder'])).toBe('coder');
  expect(nearestName('zzz', ['reviewer', 'coder'])).toBeUndefined();
});

test('a message ends with the nearest name, else with what there is', () => {
  expect(suggestName('fats', ['fast', 'slow'])).toBe('; did you mean "fast"?');
  expect(suggestName('x1234', ['fast', 'slow'])).toBe('; known are fast, slow.');
  expect(suggestName('fast', [])).toBe('; none is configured.');
});
