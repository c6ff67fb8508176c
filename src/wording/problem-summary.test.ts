import { expect, test } from 'vitest';

import { problemSummary } from './problem-summary.ts';

test.each([
  [
    'Calling local/gpt-test at http://127.0.0.1:39515 failed: 401 The API key has expired. Check the key: OPENAI_API_KEY.',
    'Provider: The API key has expired',
  ],
  [
    'Calling gpt at https://api.x.com/v1 failed: 503. The provider has problems.',
    'The provider answered with status 503',
  ],
  ['Calling gpt at https://api.x.com/v1 failed: ECONNRESET. Check the network.', 'Provider: ECONNRESET'],
  ['The cost limit of $2.00 is reached.', 'The cost limit of $2.00 is reached.'],
])('a row shows the reason alone: %s', (problem, summary) => {
  expect(problemSummary(problem)).toBe(summary);
});
