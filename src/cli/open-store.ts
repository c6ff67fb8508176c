/** Opens the store of a command. */
import { existsSync } from 'node:fs';
import path from 'node:path';

import type { LoadedConfig } from '../agents/config-layers.ts';
import { parseStoreAddress, storeName, type StoreAddress } from '../journal/store-address.ts';
import type { Store } from '../ports/store.ts';
import { usageError } from './usage-error.ts';

/** `given` is the option's value. Without it, the environment decides, then the configuration. */
export function storeAddressOf(given: string | undefined, { config }: LoadedConfig): StoreAddress {
  const fromEnvironment = process.env['RONDO_STORE'] === '' ? undefined : process.env['RONDO_STORE'];
  const address = parseStoreAddress(given ?? fromEnvironment ?? config.store ?? 'memory:');
  if (typeof address === 'string') throw usageError(address);
  return address.type === 'sqlite' ? { ...address, path: path.resolve(address.path) } : address;
}

/** The normalized address, so that two commands can tell whether they use the same store. */
export function storeNameOf(given: string | undefined, config: LoadedConfig): string {
  return storeName(storeAddressOf(given, config));
}

/** For read-only commands: owns nothing and creates no store. */
export async function openExistingStore(address: StoreAddress): Promise<Store | undefined> {
  if (address.type === 'memory') return undefined;
  if (address.type === 'postgres') {
    const { hasPostgresStore, openPostgresStore } = await import('../journal/postgres/postgres-store.ts');
    return (await hasPostgresStore(address.url)) ? openPostgresStore({ address: address.url }) : undefined;
  }
  if (address.type === 'nats') {
    const { hasNatsStore, openNatsStore } = await import('../journal/nats/nats-store.ts');
    return (await hasNatsStore(address.url)) ? openNatsStore({ address: address.url }) : undefined;
  }
  if (!existsSync(address.path)) return undefined;
  const { openSqliteStore } = await import('../journal/sqlite/sqlite-store.ts');
  return await openSqliteStore({ path: address.path, purpose: 'look' });
}
