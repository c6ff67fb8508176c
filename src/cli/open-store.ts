/** The store that a command works on. */
import { existsSync } from 'node:fs';
import path from 'node:path';

import type { LoadedConfig } from '../agents/config-layers.ts';
import { parseStoreAddress, type StoreAddress } from '../journal/store-address.ts';
import type { Store } from '../ports/store.ts';
import { usageError } from './usage-error.ts';

/** `given` is the option; without it the environment decides, then the configuration. */
export function storeAddressOf(given: string | undefined, { config }: LoadedConfig): StoreAddress {
  const fromEnvironment = process.env['RONDO_STORE'] === '' ? undefined : process.env['RONDO_STORE'];
  const address = parseStoreAddress(given ?? fromEnvironment ?? config.store ?? 'memory:');
  if (typeof address === 'string') throw usageError(`opening the store: ${address}`);
  return address.type === 'sqlite' ? { ...address, path: path.resolve(address.path) } : address;
}

/** The address in one form, so that two commands can tell whether they mean the same store. */
export function storeNameOf(given: string | undefined, config: LoadedConfig): string {
  const address = storeAddressOf(given, config);
  return address.type === 'sqlite' ? `sqlite:${address.path}` : 'memory:';
}

/** Makes the store where there is none yet. */
export async function openStore(address: StoreAddress): Promise<Store> {
  if (address.type === 'memory') {
    const { createMemoryStore } = await import('../journal/memory-store.ts');
    return createMemoryStore();
  }
  const { openSqliteStore } = await import('../journal/sqlite/sqlite-store.ts');
  return openSqliteStore({ path: address.path });
}

/** For commands that look at what is there: owns nothing, and makes no store. */
export async function openExistingStore(address: StoreAddress): Promise<Store | undefined> {
  if (address.type === 'memory' || !existsSync(address.path)) return undefined;
  const { openSqliteStore } = await import('../journal/sqlite/sqlite-store.ts');
  return await openSqliteStore({ path: address.path, purpose: 'look' });
}
