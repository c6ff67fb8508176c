import { isDead, ownIdentity } from '../journal/process-identity.ts';
import type { Store } from '../ports/store.ts';
import type { HostedStore } from './hosted-session.ts';
import { createStoredHosting } from './stored-hosting.ts';

/**
 * Keeps a host's unfinished work in the store of its sessions: the next host loads and finishes it. Rows of a living
 * host are left to that host.
 */
export function createDurableHostedStore({ hosted }: Pick<Store, 'hosted'>): HostedStore {
  const self = ownIdentity();
  return createStoredHosting(hosted, { self, isDead: (other) => isDead(other, self) });
}
