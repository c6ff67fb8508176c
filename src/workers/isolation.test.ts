import { expect, test } from 'vitest';

import { runsIsolated } from './isolation.ts';

test.for([
  { verb: 'campaign', files: 1, isolated: true },
  { verb: 'research', files: 0, isolated: true },
  { verb: 'implement', files: 1, isolated: false },
  { verb: 'implement', files: 2, isolated: true },
  { verb: 'refactor', files: 1, isolated: false },
  { verb: 'refactor', files: 5, isolated: true },
  { verb: 'fix', files: 9, isolated: false },
  { verb: 'explain', files: 1, isolated: false },
  { verb: 'explain', files: 1, mode: 'dream', isolated: true },
])('[C75] $verb of $files files isolated: $isolated', ({ isolated, ...work }) => {
  expect(runsIsolated(work)).toBe(isolated);
});
