/** A model as a row of a list: provider, context window and price. Providers without a key follow with what they need. */
import type { ModelEntry } from '../../ports/rondo-client.ts';
import { shortModel } from '../../wording/short-model.ts';
import { priceText } from '../../wording/price.ts';
import type { Look } from '../lines/look.ts';
import type { PickerRow } from './picker-rows.ts';

/** A provider that has no key here. */
interface UnkeyedProvider {
  readonly provider: string;
  readonly name: string;
  readonly key: string;
}

export type ModelChoice = ModelEntry | UnkeyedProvider;

/** Providers that serve models on this machine. */
const servedHere = new Set(['ollama', 'offline', 'testing']);
const keyed: readonly UnkeyedProvider[] = [
  { provider: 'anthropic', name: 'Anthropic', key: 'ANTHROPIC_API_KEY' },
  { provider: 'openai', name: 'OpenAI', key: 'OPENAI_API_KEY' },
  { provider: 'google', name: 'Google', key: 'GEMINI_API_KEY' },
];
/** Narrower screens drop the price, which is the widest column. */
const priceFrom = 70;

export function modelRow(choice: ModelChoice, { width, glyphs }: Look): PickerRow {
  if ('key' in choice) return { label: `${choice.name}, ${choice.key}`, group: 'Needs a key' };
  const { id, provider = '', window, price } = choice;
  return {
    label: shortModel(id),
    columns: [
      { text: provider },
      { text: window === undefined ? '' : windowText(window), isNumber: true },
      ...(width < priceFrom ? [] : [{ text: priceText(price).replace('·', glyphs.dot) }]),
    ],
    group: isServedHere({ provider }) ? 'Local' : 'Ready',
  };
}

/** Ready ones first, then what needs a key, then this machine's, so that each group is one block. */
export function modelChoices(models: readonly ModelEntry[]): readonly ModelChoice[] {
  const providers = new Set(models.map(({ provider }) => provider));
  return [
    ...models.filter((model) => !isServedHere(model)),
    ...keyed.filter(({ provider }) => !providers.has(provider)),
    ...models.filter(isServedHere),
  ];
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
