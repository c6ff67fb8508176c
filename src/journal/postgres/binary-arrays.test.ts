import { expect, test } from 'vitest';

import { bigintArray, textArray } from './binary-arrays.ts';

const head = (hasNull: 0 | 1, type: number, length: number) => {
  const buffer = Buffer.alloc(20);
  for (const [index, value] of [1, hasNull, type, length, 1].entries()) buffer.writeInt32BE(value, index * 4);
  return buffer.toString('hex');
};

test('writes texts as the bytes of UTF-8 behind their size, and a null as the size -1', () => {
  expect(textArray(['é"', null, '']).toString('hex')).toBe(`${head(1, 25, 3)}00000003c3a922ffffffff00000000`);
});

test('escapes what the server refuses in texts', () => {
  expect(textArray(['a\0']).toString('hex')).toBe(
    `${head(0, 25, 1)}00000006${Buffer.from('a\u001a0000').toString('hex')}`,
  );
});

test('writes whole numbers as 64 bits', () => {
  expect(bigintArray([1, null, Number.MAX_SAFE_INTEGER, -2]).toString('hex')).toBe(
    `${head(1, 20, 4)}000000080000000000000001ffffffff00000008001fffffffffffff00000008fffffffffffffffe`,
  );
});
