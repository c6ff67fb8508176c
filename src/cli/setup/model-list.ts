import type { LoadedConfig } from '../../agents/config-layers.ts';
import { originOf } from '../../agents/merge-layers.ts';
import type { FoundModels } from '../../assembly/found-models.ts';
import { isLocalUrl } from '../../models/endpoint.ts';
import { priceOf } from '../../models/prices.ts';

export interface ListedModel {
  readonly id: string;
  readonly provider: string;
  readonly why: string;
  readonly price: PriceShown;
}

/** Configured models, then those that were found. */
export async function modelList(
  loaded: LoadedConfig,
  models: Pick<FoundModels, 'found'>,
): Promise<readonly ListedModel[]> {
  const found = await models.found();
  return [
    ...configured(loaded),
    ...found.map(({ id, provider, why }) => ({ id, provider, why, price: priceFor(id, provider) })),
  ];
}

/** Null: unknown, which is not zero. */
export type PriceShown = { readonly input: number; readonly output: number } | null;

function configured(loaded: LoadedConfig): readonly ListedModel[] {
  return Object.entries(loaded.config.models ?? {}).map(([name, entry]) => {
    const origin = originOf(loaded, ['models', name]);
    const url = loaded.config.endpoints?.[entry.endpoint]?.baseUrl;
    const isLocal = url !== undefined && isLocalUrl(url);
    const { input, output } = entry.price ?? {};
    const own = input === undefined || output === undefined ? undefined : { input, output };
    return {
      id: name,
      provider: entry.endpoint,
      why: `${entry.endpoint}/${entry.model}, ${origin === undefined ? 'configured' : `${origin.file}:${origin.line}`}`,
      price: own ?? priceFor(entry.model, isLocal ? 'local' : entry.endpoint),
    };
  });
}

function priceFor(id: string, provider: string): PriceShown {
  if (provider === 'ollama' || provider === 'offline' || provider === 'local') return { input: 0, output: 0 };
  const price = priceOf(id, Date.now());
  return price === undefined ? null : { input: price.input, output: price.output };
}
