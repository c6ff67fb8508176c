import { expect, test } from 'vitest';

import { exportTarget } from './export-target.ts';

test.each([
  [undefined, '/place/ses_1.rondo', 'bundle'],
  ['talk.md', '/place/talk.md', 'markdown'],
  ['/else/talk.json', '/else/talk.json', 'json'],
  ['talk', '/place/talk', 'bundle'],
])('/export %s writes %s as %s', (file, to, format) => {
  expect(exportTarget(file, { session: 'ses_1', cwd: '/place' })).toEqual({ to, format });
});
