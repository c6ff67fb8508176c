import { expect, test } from 'vitest';

import { questionEndText } from './answer.ts';
import { isViewer, nameFor, otherThan } from './viewer.ts';

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

test('[P3] the owner of a machine has one name, at its terminal and through its server', () => {
  const terminal = { type: 'person', name: 'terminal' } as const;
  expect(['owner', 'terminal'].map((viewer) => nameFor(viewer, 'terminal'))).toEqual(['you', 'you']);
  expect(['owner', 'terminal'].map((viewer) => otherThan(viewer, terminal))).toEqual([undefined, undefined]);
  expect([nameFor('ada', 'terminal'), nameFor(undefined, 'terminal')]).toEqual(['owner', 'owner']);
  expect(otherThan('ada', terminal)).toEqual({ type: 'person', name: 'owner' });
  expect([isViewer(undefined, 'owner'), isViewer('ada', 'ada')]).toEqual([false, true]);
});
