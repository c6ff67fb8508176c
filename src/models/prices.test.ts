import { describe, expect, it } from 'vitest';

import { costAt, noPrice, priceDate, priceOf } from './prices.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const costOf = (model: string, usage: typeof million, at: number) => costAt(priceOf(model, at) ?? noPrice, usage);
const million = { inputTokens: 1_000_000, outputTokens: 1_000_000 };

describe('prices', () => {
  it.each([
    ['claude-sonnet-4-5', 18],
    ['anthropic/claude-sonnet-4-5-20250929', 18],
    ['amazon-bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 18],
    ['anthropic/claude-opus-5-5', 24],
    ['openai/gpt-4o-mini-2024-07-18', 0.75],
    ['google/gemini-2.5-flash', 2.8],
    ['gpt-4o-2024-05-13', 20],
    ['gpt-4o-2024-11-20', 12.5],
    ['us.amazon.nova-pro-v1:0', 4],
  ])('knows %s by its longest name [C117]', (model, dollars) => {
    expect(costOf(model, million, now)).toBeCloseTo(dollars, 10);
  });

  it.each(['gpt-4o-audio-preview', 'gpt-4o-next', 'claude-sonnet-9', 'claude-opus-5-50', 'llama3', ''])(
    'has no price for %s, which is not zero [C117]',
    (model) => {
      expect(priceOf(model, now)).toBeUndefined();
    },
  );

  it('prices cached input, cache writes and the rest apart [C117]', () => {
    const price = { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 };
    const usage = { inputTokens: 1000, outputTokens: 100, cachedTokens: 600, cacheWriteTokens: 300 };
    expect(costAt(price, usage)).toBeCloseTo((100 * 3 + 600 * 0.3 + 300 * 3.75 + 100 * 15) / 1e6, 12);
    expect(costAt({ input: 3, output: 15 }, usage)).toBeCloseTo((1000 * 3 + 100 * 15) / 1e6, 12);
  });

  it('prices a long request by its own rates [C117]', () => {
    const price = { input: 1, output: 10, long: { above: 200_000, input: 2, output: 15 } };
    expect(costAt(price, { inputTokens: 200_000, outputTokens: 0 })).toBe(0.2);
    expect(costAt(price, { inputTokens: 200_001, outputTokens: 0 })).toBe(0.400_002);
  });

  it('has no price for an input longer than its rates are known for [C117]', () => {
    const price = { input: 1, output: 10, upTo: 200_000 };
    expect(costAt(price, { inputTokens: 200_000, outputTokens: 0 })).toBe(0.2);
    expect(costAt(price, { inputTokens: 200_001, outputTokens: 0 })).toBeUndefined();
  });

  it('ends an introductory price with its last day [C117]', () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    expect(costOf('gemini-3.8-flash', usage, Date.parse('2026-12-31T23:59:59Z'))).toBe(0.75);
    expect(costOf('gemini-3.8-flash', usage, Date.parse('2027-01-01T00:00:00Z'))).toBe(1.5);
  });

  it('is free only if the list has it as free, and has a date [C117]', () => {
    expect(costAt(noPrice, million)).toBe(0);
    expect(priceDate).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});
