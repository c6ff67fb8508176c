import { expect, test } from 'vitest';

import { operatorsIn } from './part-operators.ts';

test('each part has the operator that stands before it', () => {
  const command = 'du -sh dist && rm -rf dist/old; du -sh dist | tee clean.log';
  expect(operatorsIn(command, ['du -sh dist', 'rm -rf dist/old', 'du -sh dist', 'tee clean.log'])).toEqual([
    undefined,
    '&&',
    ';',
    '|',
  ]);
});

test('a part that was rewritten has none, and the next one is still found', () => {
  expect(operatorsIn('echo "a" && ls', ['echo a', 'ls'])).toEqual([undefined, undefined]);
});
