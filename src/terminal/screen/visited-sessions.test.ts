import { expect, test } from 'vitest';

import { createVisitedSessions } from './visited-sessions.ts';

test('[C126] each session keeps its draft, and the one that was open before is known', () => {
  let text = '';
  const visited = createVisitedSessions({ getText: () => text, setText: (next) => (text = next) });
  visited.look('ses_1');
  text = 'first draft';
  visited.look('ses_2');
  expect([text, visited.previous, visited.drafts()]).toEqual(['', 'ses_1', ['first draft']]);
  text = 'second draft';
  visited.look('ses_2');
  visited.look('ses_1');
  expect([text, visited.previous, visited.drafts()]).toEqual(['first draft', 'ses_2', ['second draft']]);
});
