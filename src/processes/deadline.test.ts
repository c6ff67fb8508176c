import { expect, test } from 'vitest';

import { createDeadline } from './deadline.ts';

test('[O6] a deadline is the latest of its extensions until it is lifted, and each change is noticed', () => {
  const deadline = createDeadline();
  const seen: (number | undefined)[] = [];
  deadline.onChange(() => {
    const left = deadline.secondsLeft();
    seen.push(left === undefined ? undefined : Math.round(left));
  });
  expect(deadline.secondsLeft()).toBeUndefined();
  deadline.extend(20_000);
  deadline.extend(10_000);
  deadline.lift();
  deadline.extend(10_000);
  expect(seen).toEqual([20, 20, undefined, 10]);
});
