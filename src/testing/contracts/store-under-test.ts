/**
 * What a contract suite needs from the store it tests. The suites import vitest, so a program that runs them on its
 * own adapter needs it as a development dependency.
 */
import type { Store } from '../../ports/store.ts';
import type { BlobHash, SessionId } from '../../kernel/ids.ts';

/** A store, and what a suite may do to it. */
export interface StoreUnderTest extends AsyncDisposable {
  readonly store: Store;
  /** The same store as another process sees it, with its own owner. The test closes it. */
  another(): Promise<Store>;
  /** Closes `store` and reopens its content. */
  reopen(): Promise<Store>;
  /** Simulates a kill of this store's process. */
  crash(store: Store): Promise<void>;
  /** Simulates that this store's process slept past its lease. */
  lapse(store: Store): Promise<void>;
  /** Damages the record that begins at a sequence, bypassing the store. */
  damageRecord(session: SessionId, first: number): Promise<void>;
  damageBlob(hash: BlobHash): Promise<void>;
}

/** Opens a fresh, empty store. */
export type OpenStore = () => Promise<StoreUnderTest>;
