import { expect, test } from 'vitest';

import { parseScript } from './scripted.ts';

const parsed = (fail: unknown) => parseScript(JSON.stringify([{ text: 'one' }, { fail }]));

test('[C20] a script fails with codes that there are', () => {
  expect(parsed({ code: 'model-unavailable', message: 'away' })).toHaveLength(2);
  expect(parsed({ code: 'model-unavailible', message: 'away' })).toBe(
    'step 2 fails with the unknown code "model-unavailible"; did you mean "model-unavailable"?',
  );
  expect(parsed({ code: 503, message: 'away' })).toMatch(/^step 2 fails with the unknown code 503; codes are /);
  expect(parsed({ code: 'fault' })).toBe('step 2 has a "fail" without a message');
  expect(parsed('fault')).toBe('step 2 has a "fail" that is not an object');
});
