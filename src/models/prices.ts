/**
 * Token prices in US dollars per million, from a dated data file keyed by model id. A model that isn't listed has
 * an unknown price, never zero. Only unlisted models of local servers are free.
 */
import type { Usage } from '../kernel/outcome.ts';
import table from './prices.json' with { type: 'json' };

interface Rates {
  readonly input: number;
  readonly output: number;
  /** Input read from and written to the provider's cache (default: the input rate). */
  readonly cached?: number;
  readonly cacheWrite?: number;
}

export interface Price extends Rates {
  /** Rates for the whole request if its input exceeds `above` tokens. */
  readonly long?: Rates & { readonly above: number };
  /** Longer input has a different, unknown price. */
  readonly upTo?: number;
}

type PricedUsage = Pick<Usage, 'inputTokens' | 'outputTokens' | 'cachedTokens'> & {
  readonly cacheWriteTokens?: number;
};

/** A row of the table. An introductory price names its last day and its successor. */
interface PriceRow extends Price {
  readonly until?: string;
  readonly then?: Price;
}

export const priceDate: string = table.date;
export const noPrice: Price = { input: 0, output: 0, cached: 0, cacheWrite: 0 };

/**
 * The price at a time. `model` may carry a provider, a Bedrock region and a date:
 * `amazon-bedrock/us.anthropic.claude-sonnet-5`.
 */
export function priceOf(model: string, at: number): Price | undefined {
  const id = model
    .slice(model.lastIndexOf('/') + 1)
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|amazon|openai|meta|mistral)\./, '');
  const names = Object.keys(prices).filter(
    (name) => id === name || (id.startsWith(name) && versionTail.test(id.slice(name.length))),
  );
  const longest = names.toSorted((a, b) => b.length - a.length)[0];
  const row = longest === undefined ? undefined : prices[longest];
  const isOver = row?.until !== undefined && at >= Date.parse(row.until) + day;
  return isOver ? row.then : row;
}

export function costAt(price: Price, usage: PricedUsage): number | undefined {
  if (price.upTo !== undefined && usage.inputTokens > price.upTo) return undefined;
  const isLong = price.long !== undefined && usage.inputTokens > price.long.above;
  const {
    input,
    output,
    cached = input,
    cacheWrite = input,
  } = isLong && price.long !== undefined ? price.long : price;
  const cachedTokens = usage.cachedTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const fresh = Math.max(0, usage.inputTokens - cachedTokens - written);
  return (fresh * input + cachedTokens * cached + written * cacheWrite + usage.outputTokens * output) / 1_000_000;
}

/** The maximum cost of a call: no cache hits, and everything written to the cache. */
export function highestCost(price: Price, inputTokens: number, outputTokens: number): number | undefined {
  const fresh = costAt(price, { inputTokens, outputTokens });
  const written = costAt(price, { inputTokens, outputTokens, cacheWriteTokens: inputTokens });
  return fresh === undefined || written === undefined ? undefined : Math.max(fresh, written);
}

const day = 86_400_000;
const prices: Readonly<Record<string, PriceRow>> = table.models;

/** Suffixes that don't change the model: a date, `latest`, a Bedrock version. */
const versionTail = /^(?:-\d{8}|-\d{4}-\d{2}-\d{2}|-latest|-preview(?:-\d{2}-\d{4})?|-v\d+)?(?:-v\d+)?(?::\d+)?$/;
