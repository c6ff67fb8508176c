import path from 'node:path';

import type { StoreAddress } from '../journal/store-address.ts';
import type { Store } from '../ports/store.ts';

/** Creates the store if it doesn't exist. Loads only the adapter that the address needs. */
export async function openStore(address: StoreAddress): Promise<Store> {
  switch (address.type) {
    case 'memory': {
      const { createMemoryStore } = await import('../journal/memory-store.ts');
      return createMemoryStore();
    }
    case 'postgres': {
      const { openPostgresStore } = await import('../journal/postgres/postgres-store.ts');
      return openPostgresStore({ address: address.url });
    }
    case 'nats': {
      const { openNatsStore } = await import('../journal/nats/nats-store.ts');
      return openNatsStore({ address: address.url });
    }
    case 'sqlite': {
      const { openSqliteStore } = await import('../journal/sqlite/sqlite-store.ts');
      return openSqliteStore({ path: path.resolve(address.path) });
    }
  }
}
