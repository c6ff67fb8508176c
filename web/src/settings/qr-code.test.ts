import { expect, test } from 'vitest';

import { qrModules } from './qr-code.ts';

const at = (text: string) => qrModules(text) ?? [];

test('a code has the size of its version, its finders, its timing and its format', () => {
  expect([1, 20, 40, 60, 213, 214].map((length) => qrModules('x'.repeat(length))?.length)).toEqual([
    21,
    25,
    29,
    33,
    57,
    undefined,
  ]);
  const modules = at('https://rondo.test/#token=abc');
  const size = modules.length;
  const finder = (x: number, y: number) =>
    Array.from({ length: 7 }, (_, dy) =>
      Array.from({ length: 7 }, (__, dx) => (modules[y + dy]?.[x + dx] ? '#' : '.')).join(''),
    );
  const whole = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######'];
  expect([finder(0, 0), finder(size - 7, 0), finder(0, size - 7)]).toEqual([whole, whole, whole]);
  expect(modules[6]?.slice(8, size - 8)).toEqual(Array.from({ length: size - 16 }, (_, index) => index % 2 === 0));
  // The format of level M with one of the eight masks, as the standard lists them.
  const formats = [
    '101010000010010',
    '101000100100101',
    '101111001111100',
    '101101101001011',
    '100010111111001',
    '100000011001110',
    '100111110010111',
    '100101010100000',
  ];
  const read = [14, 13, 12, 11, 10, 9]
    .map((bit) => modules[8]?.[14 - bit])
    .concat(modules[8]?.[7], modules[8]?.[8], modules[7]?.[8])
    .concat([5, 4, 3, 2, 1, 0].map((bit) => modules[bit]?.[8]));
  expect(formats).toContain(read.map((isDark) => (isDark ? '1' : '0')).join(''));
});
