import { expect, test } from 'vitest';

import { parseStrictJson } from './strict-json.ts';

const reasonOf = (text: string) => {
  const parsed = parseStrictJson(text);
  return parsed.type === 'parsed' ? undefined : parsed.reason;
};

test('[C84] a key that stands twice is refused, however it is written and wherever it stands', () => {
  expect([
    reasonOf('{"v":1,"v":2}'),
    reasonOf('{"v":1,"\\u0076" : 2}'),
    reasonOf('{"a":[{"b":{"c":1,"c":1}}]}'),
    reasonOf('{"a":{"b":1},"b":{"a":"a"},"c":["a","a"]}'),
    reasonOf('{"a":"\\"a\\":1","b":"}{"}'),
  ]).toEqual([
    'the key "v" stands in it twice',
    'the key "v" stands in it twice',
    'the key "c" stands in it twice',
    undefined,
    undefined,
  ]);
});

test('[C84] malformed or endlessly nested JSON is refused', () => {
  expect([
    reasonOf('{"a":'),
    reasonOf('nope'),
    reasonOf(''),
    reasonOf('["'),
    reasonOf('['.repeat(100_000)),
  ]).toEqual([
    'it is not JSON',
    'it is not JSON',
    'it is not JSON',
    'it is not JSON',
    'it is nested deeper than 64',
  ]);
});
