import { expect, test } from 'vitest';

import { summarizeTests } from './test-summary.ts';

test.for([
  ['pytest', 'FAILED tests/test_a.py::test_x - assert 1 == 2\n=== 1 failed, 3 passed in 0.12s ===', 1, 1],
  ['cargo', 'test adds ... FAILED\ntest result: FAILED. 1 passed; 1 failed; 0 ignored', 1, 1],
  ['go', '--- FAIL: TestX (0.00s)\nFAIL\texample.org/x\t0.003s', 1, 1],
  ['vitest', ' \u{1b}[31m×\u{1b}[39m adds\n Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)', 2, 1],
  ['node', 'not ok 1 - adds\n# tests 2\n# pass 1\n# fail 1', 3, 1],
  ['junit', 'Tests run: 3, Failures: 1, Errors: 0, Skipped: 0', 1, 0],
] as const)('C33: the output of %s', ([, output, totals, failures]) => {
  const summary = summarizeTests(output);
  expect([summary.totals.length, summary.failures.length]).toEqual([totals, failures]);
});
