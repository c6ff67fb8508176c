/**
 * What a contract suite needs to know of the store it is run on. The suites import vitest; a
 * program that runs them on its own adapter has it as a development dependency.
 */
import type { Store } from '../../ports/store.ts';
import type { BlobHash, SessionId } from '../../kernel/ids.ts';

/** A store, and what a suite may do to it. */
export interface StoreUnderTest extends AsyncDisposable {
  readonly store: Store;
  /** The same store as another process sees it: an owner of its own. Closed by the test. */
  another(): Promise<Store>;
  /** Closes `store` and opens what it kept. */
  reopen(): Promise<Store>;
  /** As if the process of this store was killed. */
  crash(store: Store): Promise<void>;
  /** As if the process of this store slept past its lease. */
  lapse(store: Store): Promise<void>;
  /** Spoils the record that begins at a sequence, behind the store's back. */
  damageRecord(session: SessionId, first: number): Promise<void>;
  damageBlob(hash: BlobHash): Promise<void>;
}

/** Opens a fresh, empty store. */
export type OpenStore = () => Promise<StoreUnderTest>;
