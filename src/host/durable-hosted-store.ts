import { isDead, ownIdentity } from '../journal/process-identity.ts';
import type { Store } from '../ports/store.ts';
import type { HostedStore } from './hosted-session.ts';
import { createStoredHosting } from './stored-hosting.ts';

/**
 * Keeps what a host is in the middle of in the store of its sessions: the next host finds it with `load` and finishes
 * it. Rows of a host that is alive are left to that host.
 */
export function createDurableHostedStore({ hosted }: Pick<Store, 'hosted'>): HostedStore {
  const self = ownIdentity();
  return createStoredHosting(hosted, { self, isDead: (other) => isDead(other, self) });
}
