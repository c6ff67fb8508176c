import { expect, test } from 'vitest';

import { waitsForText, waitTexts } from './waits-for.ts';

test('[C153] a session that waits for labels says which ones and how to offer them', () => {
  expect(waitTexts({ missingLabels: ['gpu', 'zone=eu'] }, 'ses_1')).toEqual([
    'Its agent needs the labels gpu, zone=eu, which no running node offers. Its work waits: start a node that offers ' +
      'them (rondo serve --labels gpu,zone=eu), or choose another agent.',
  ]);
  expect(waitsForText({ missingLabels: ['gpu'] })).toBe('waits for label gpu');
  expect(waitsForText({ goneMachine: 'desk', missingLabels: ['gpu', 'zone=eu'] })).toBe(
    'waits for desk, label gpu, label zone=eu',
  );
});

test('a session that runs or rests waits for nothing', () => {
  expect([waitTexts({}, 'ses_1'), waitsForText({})]).toEqual([[], undefined]);
});
