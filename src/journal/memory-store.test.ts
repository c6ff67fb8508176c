import { blobsContract } from '../testing/contracts/blobs-contract.ts';
import { busContract } from '../testing/contracts/bus-contract.ts';
import { hostedRowsContract } from '../testing/contracts/hosted-rows-contract.ts';
import { inboxContract } from '../testing/contracts/inbox-contract.ts';
import { jobQueueContract } from '../testing/contracts/job-queue-contract.ts';
import { journalContract } from '../testing/contracts/journal-contract.ts';
import { leaseContract } from '../testing/contracts/lease-contract.ts';
import { upkeepContract } from '../testing/contracts/upkeep-contract.ts';
import type { StoreUnderTest } from '../testing/contracts/store-under-test.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

journalContract('memory', open);
leaseContract('memory', open);
inboxContract('memory', open);
hostedRowsContract('memory', open);
jobQueueContract('memory', open);
busContract('memory', open);
blobsContract('memory', open);
upkeepContract('memory', open);

function open(): Promise<StoreUnderTest> {
  const store = createMemoryStore();
  return Promise.resolve({
    store,
    another: () => Promise.resolve(store.another()),
    async reopen() {
      await store[Symbol.asyncDispose]();
      return store.another();
    },
    crash: (other) => Promise.resolve((other as MemoryStore).crash()),
    lapse: (other) => Promise.resolve((other as MemoryStore).lapse()),
    damageRecord: (session, first) => Promise.resolve(store.damageRecord(session, first)),
    damageBlob: (hash) => Promise.resolve(store.damageBlob(hash)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  });
}
