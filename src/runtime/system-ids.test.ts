import { expect, test } from 'vitest';

import { createSystemIds } from './system-ids.ts';

test('ids begin with nine digits of time, so that they sort by it, and end with fifteen of chance', () => {
  let now = 0;
  const ids = createSystemIds(() => now);
  const timeOf = (time: number) => {
    now = time;
    return ids.unique().slice(0, 9);
  };
  expect([0, 31, 32, 33, 32 ** 8].map(timeOf)).toEqual([
    '000000000',
    '00000000z',
    '000000010',
    '000000011',
    '100000000',
  ]);
  expect([ids.session(), ids.worker(), ids.job()].map((id) => id.slice(0, 4))).toEqual(['ses_', 'wrk_', 'job_']);
  expect(ids.unique()).toMatch(/^[0-9a-hjkmnp-tv-z]{24}$/);
  const many = Array.from({ length: 1000 }, () => ids.unique());
  expect(new Set(many).size).toBe(1000);
  expect(new Set(many.flatMap((id) => id.slice(9).split(''))).size).toBe(32);
});
