import { describe, expect, it } from 'vitest';

import { createRateBudget } from './rate-budget.ts';

describe('rate budget', () => {
  it('fits calls until the tokens of a minute are used, then names the time when they are free again [C24]', () => {
    const budget = createRateBudget({ tokensPerMinute: 1000, workerShare: 0.5 });
    budget.take('main', 400, 0);
    budget.take('main', 400, 10_000);
    expect(budget.fitsAt('main', 200, 20_000)).toBe(20_000);
    expect(budget.fitsAt('main', 201, 20_000)).toBe(60_000);
    expect(budget.fitsAt('main', 700, 20_000)).toBe(70_000);
    expect(budget.fitsAt('main', 201, 60_000)).toBe(60_000);
  });

  it('holds workers to their share and leaves main work the rest [C24]', () => {
    const budget = createRateBudget({ tokensPerMinute: 1000, workerShare: 0.3 });
    budget.take('worker', 300, 0);
    expect(budget.fitsAt('worker', 1, 1)).toBe(60_000);
    expect(budget.fitsAt('main', 700, 1)).toBe(1);
    expect(budget.fitsAt('main', 701, 1)).toBe(60_000);
  });

  it('corrects an estimate by what was used [C24]', () => {
    const budget = createRateBudget({ tokensPerMinute: 1000 });
    const spent = budget.take('main', 100, 0);
    spent.correct(950);
    expect(budget.fitsAt('main', 100, 1)).toBe(60_000);
  });

  it('lets a call that is larger than the whole budget go when nothing else is counted', () => {
    const budget = createRateBudget({ tokensPerMinute: 1000, requestsPerMinute: 10 });
    expect(budget.fitsAt('worker', 5000, 0)).toBe(0);
    budget.take('worker', 5000, 0);
    expect(budget.fitsAt('main', 5000, 1)).toBe(60_000);
  });

  it('limits nothing without a limit', () => {
    const budget = createRateBudget({});
    budget.take('main', 1e9, 0);
    expect(budget.fitsAt('worker', 1e9, 0)).toBe(0);
  });
});
