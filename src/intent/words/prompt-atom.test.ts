import { expect, test } from 'vitest';

import { defineAtom } from '../atoms/define-atom.ts';
import { blockedBy, dimensions, formOf, scoreOf } from './prompt-atom.ts';

test.each(
  dimensions.flatMap(
    (dimension) =>
      [
        [dimension, undefined, undefined, false],
        [dimension, undefined, ['a'], false],
        [dimension, ['a'], undefined, false],
        [dimension, ['a'], ['a'], false],
        [dimension, ['a', 'b'], ['b', 'c'], false],
        [dimension, ['a'], ['b'], true],
        [dimension, ['a'], [], true],
        [dimension, [], ['a'], true],
      ] as const,
  ),
)('[C106] %s: an atom for %j in a context of %j is blocked: %j', (dimension, wanted, there, blocked) => {
  const atom = defineAtom('others', {
    id: 'a',
    content: '',
    priority: 1,
    when: wanted === undefined ? {} : { [dimension]: wanted },
  });
  expect(blockedBy(atom, there === undefined ? {} : { [dimension]: there })).toBe(blocked ? dimension : undefined);
});

test('one dimension that does not match blocks, whatever the others do', () => {
  const atom = defineAtom('others', {
    id: 'a',
    content: '',
    priority: 1,
    when: { language: ['go'], agent_type: ['coder'] },
  });
  expect(blockedBy(atom, { language: ['go'], agent_type: ['tester'] })).toBe('agent_type');
});

test('a match in a dimension that is there counts, one that is unknown does not', () => {
  const atom = defineAtom('others', {
    id: 'a',
    content: '',
    priority: 10,
    when: { language: ['go'], agent_type: ['coder'] },
  });
  expect([
    scoreOf(atom, {}),
    scoreOf(atom, { language: ['go'] }),
    scoreOf(atom, { language: ['go'], agent_type: ['coder'] }),
  ]).toEqual([10, 15, 20]);
});

test('a size that was not written is the next larger one', () => {
  const atom = defineAtom('others', { id: 'a', content: 'full', priority: 1 });
  expect([formOf(atom, 'concise'), formOf(atom, 'min')]).toEqual(['full', 'full']);
  expect(formOf({ ...atom, concise: 'short' }, 'min')).toBe('short');
});
