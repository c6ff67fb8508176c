import { expect, it } from 'vitest';

import { requestTokens } from './request-tokens.ts';

it('P10: estimates each message of the history once, however often it is sent', () => {
  let reads = 0;
  const message = {
    role: 'user',
    get text() {
      reads += 1;
      return 'Add a test for the parser.';
    },
  } as const;
  const request = { system: 'You write code.', messages: [message], tools: [] };

  const sums = [requestTokens(request), requestTokens(request), requestTokens(request)];

  expect({ isSame: new Set(sums).size === 1, reads }).toEqual({ isSame: true, reads: 1 });
});
