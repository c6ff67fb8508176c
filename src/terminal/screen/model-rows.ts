/** A model as a row of a list: provider, context window and price. */
import type { ModelEntry } from '../../ports/rondo-client.ts';
import { priceText } from '../../wording/price.ts';
import type { Look } from '../lines/look.ts';
import type { PickerRow } from './picker-rows.ts';

/** Providers that serve models on this machine. */
const servedHere = new Set(['ollama', 'offline', 'testing']);
/** Narrower screens drop the price, which is the widest column. */
const priceFrom = 70;

export function modelRow({ id, provider = '', window, price }: ModelEntry, { width, glyphs }: Look): PickerRow {
  return {
    label: id,
    columns: [
      { text: provider },
      { text: window === undefined ? '' : windowText(window), isNumber: true },
      ...(width < priceFrom ? [] : [{ text: priceText(price).replace('·', glyphs.dot) }]),
    ],
    group: isServedHere({ provider }) ? 'Local' : 'Ready',
  };
}

/** Remote models first, so that each group is one block. */
export function modelsByPlace(models: readonly ModelEntry[]): readonly ModelEntry[] {
  const rank = (model: ModelEntry) => (isServedHere(model) ? 1 : 0);
  return models.toSorted((a, b) => rank(a) - rank(b));
}

function isServedHere({ provider = '' }: Pick<ModelEntry, 'provider'>): boolean {
  return servedHere.has(provider);
}

/** `32k`, `200k`, `1M`. */
function windowText(tokens: number): string {
  return tokens >= 1_000_000
    ? `${Number((tokens / 1_000_000).toFixed(1))}M`
    : `${Math.round(tokens / (tokens % 1000 === 0 ? 1000 : 1024))}k`;
}
