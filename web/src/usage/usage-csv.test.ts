import { expect, test } from 'vitest';

import { usageCsv } from './usage-csv.ts';

test('[C95] daily usage by model is a table that a spreadsheet opens, and no name is a formula', () => {
  const totals = { turns: 2, inputTokens: 100, outputTokens: 20, cachedTokens: 80, cost: 0.25 };
  expect(
    usageCsv([
      {
        name: '2026-11-18 =cmd,"x"',
        totals: { turns: 1, inputTokens: 1, outputTokens: 1, cost: 0, unpricedCalls: 1 },
      },
      { name: '2026-11-17 sonnet', totals },
    ]),
  ).toBe(
    [
      'day,model,turns,input_tokens,cached_tokens,output_tokens,cost_usd,unpriced_calls',
      '2026-11-17,sonnet,2,100,80,20,0.25,0',
      `2026-11-18,"'=cmd,""x""",1,1,0,1,0,1`,
      '',
    ].join('\r\n'),
  );
});
