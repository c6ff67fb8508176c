import { expect, test } from 'vitest';

import { failureWords } from './failure.ts';

test('a provider’s failure is one plain sentence with its host, never its JSON', () => {
  const at = 'Calling anthropic/claude-sonnet-5 at https://api.anthropic.com failed:';
  expect(failureWords({ code: 'model-auth', message: `${at} 401 invalid x-api-key. Check the key.` })).toEqual({
    heading: 'The provider refused the key',
    text: 'Anthropic answered 401: invalid x-api-key. Check the key.',
  });
  const body = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
  expect(failureWords({ code: 'model-unavailable', message: `${at} 529 ${body}. Retry later.` })).toEqual({
    heading: "Anthropic isn't answering",
    text: 'Anthropic answered 529: Overloaded. Retry later.',
  });
  expect(
    failureWords({ code: 'model-unavailable', message: `${at} connect ECONNREFUSED. Check the network.` }).text,
  ).toBe("Anthropic can't be reached at api.anthropic.com: connect ECONNREFUSED. Check the network.");
});

test('a repetition shows the failure that it ended with', () => {
  const message =
    '3 errors in a row; the last: openai/gpt-5 was not called: its provider keeps failing. The next call is possible ' +
    'in 29.9 s. Last failure: Calling openai/gpt-5 at http://127.0.0.1:4602 failed: 529 Overloaded. Retry later.';
  expect(failureWords({ code: 'errors-in-row', message })).toEqual({
    heading: "OpenAI isn't answering",
    text: 'OpenAI answered 529: Overloaded. Retry later.',
  });
});

test('limits and timeouts have their own headings', () => {
  expect(failureWords({ code: 'limit-cost', message: 'The turn reached its limit: cost 2.' })).toEqual({
    heading: 'Cost limit reached: $2.00',
    text: '',
  });
  expect(failureWords({ code: undefined, message: 'Timed out' })).toEqual({ heading: 'Timed out', text: '' });
});
