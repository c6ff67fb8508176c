import { expect, test } from 'vitest';

import { given, testTime } from '../testing/given.ts';
import { chat, created } from '../testing/inputs.ts';
import { timeAfter, timeAt } from './time.ts';

test('a time is the first whole millisecond that is not early', () => {
  expect([timeAt(5), timeAt(5.1), timeAfter(timeAt(5), 0.1)]).toEqual([5, 6, 6]);
});

test('[L6] a limit with a fraction of a millisecond arms a wait that ends on a whole one', () => {
  const { state } = given(created({ limits: { wallTimeMs: 1000.05 } }), chat('go'));
  expect(state.waits.map(({ until }) => until)).toEqual([testTime + 1001]);
});
