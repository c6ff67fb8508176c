import { expect, test } from 'vitest';

import { questionEndText } from './answer.ts';
import { otherThan } from './viewer.ts';

const ada = { type: 'person', name: 'ada' } as const;

test('[P3] the person who answered reads "you", everybody else their name', () => {
  const state = { type: 'answered', by: ada, answer: { type: 'allow-once' }, at: 1 } as const;
  expect([undefined, 'ada', 'bo'].map((viewer) => questionEndText(state, viewer))).toEqual([
    'Allowed once by ada',
    'Allowed once by you',
    'Allowed once by ada',
  ]);
  expect(['ada', 'bo'].map((viewer) => otherThan(viewer, ada))).toEqual([undefined, ada]);
});
