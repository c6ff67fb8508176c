/** Converts the configuration's model settings to those of the model pool, and looks up keys. */
import type { LoadedConfig } from '../../agents/config-layers.ts';
import { configPathToText } from '../../agents/config-path.ts';
import type { EndpointEntry, ConfiguredModel } from '../../agents/config-schema.ts';
import { findKey } from '../../agents/keys.ts';
import { Fault } from '../../kernel/fault.ts';
import type { AliasConfig, EndpointConfig, ModelsConfig } from '../../models/resolve.ts';
import { optional } from '../../kernel/optional.ts';
import type { Environment } from '../../ports/environment.ts';

export async function modelsConfigFrom(
  loaded: LoadedConfig,
  home: string,
  env: Environment,
): Promise<ModelsConfig> {
  const endpoints = await Promise.all(
    Object.entries(loaded.config.endpoints ?? {}).map(async ([name, entry]) => {
      const layer = loaded.owners.get(configPathToText(['endpoints', name]))?.name ?? 'user';
      return [name, await endpointFrom(name, entry, layer, home, env)] as const;
    }),
  );
  const models = Object.entries(loaded.config.models ?? {}).map(
    ([name, entry]) => [name, aliasFrom(entry)] as const,
  );
  return { endpoints: Object.fromEntries(endpoints), models: Object.fromEntries(models) };
}

async function endpointFrom(
  name: string,
  entry: EndpointEntry,
  layer: Parameters<typeof findKey>[1]['layer'],
  home: string,
  env: Environment,
): Promise<EndpointConfig> {
  const { apiKey, apiKeyFile, concurrency, requestsPerMinute, tokensPerMinute, profile: _, ...rest } = entry;
  const wanted = {
    endpoint: name,
    layer,
    ...optional({ apiKey, apiKeyFile }),
  };
  const key = await findKey(home, wanted, env);
  if (key.type === 'refused') throw new Fault('unreadable', key.message);
  return {
    ...rest,
    ...(key.type === 'found' && { apiKey: key.key }),
    limits: {
      ...optional({ concurrent: concurrency, requestsPerMinute, tokensPerMinute }),
    },
  };
}

function aliasFrom({ fallbacks, ...model }: ConfiguredModel): AliasConfig {
  return fallbacks === undefined || fallbacks.length === 0 ? model : [model, ...fallbacks];
}
