import type { LoadedConfig } from '../../agents/config-layers.ts';
import { originOf } from '../../agents/merge-layers.ts';
import { optional } from '../../kernel/optional.ts';
import type { FoundModels } from '../../assembly/models/found-models.ts';

export interface ListedModel {
  readonly id: string;
  readonly provider: string;
  readonly why: string;
  readonly price: PriceShown;
  /** Context window in tokens, if known. */
  readonly window?: number;
}

/** Null means unknown, not zero. */
type PriceShown = { readonly input: number; readonly output: number } | null;

/** Configured models, then discovered ones, each at the price used for sessions. */
export async function modelList(
  loaded: LoadedConfig,
  models: Pick<FoundModels, 'list' | 'price' | 'window'>,
): Promise<readonly ListedModel[]> {
  const list = await models.list();
  const configured = Object.entries(loaded.config.models ?? {}).map(([name, { endpoint, model }]) => {
    const origin = originOf(loaded, ['models', name]);
    const where = origin === undefined ? 'configured' : `${origin.file}:${origin.line}`;
    return { id: name, provider: endpoint, why: `${endpoint}/${model}, ${where}` };
  });
  return [...configured, ...list.map(({ id, provider, why }) => ({ id, provider, why }))].map((listed) => ({
    ...listed,
    price: priceOf(models.price(listed.id)),
    ...optional({ window: models.window(listed.id) }),
  }));
}

function priceOf(price: ReturnType<FoundModels['price']>): PriceShown {
  return price === undefined ? null : { input: price.input, output: price.output };
}
