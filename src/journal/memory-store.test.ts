import { expect, test } from 'vitest';

import { blobsContract } from '../testing/contracts/blobs-contract.ts';
import { busContract } from '../testing/contracts/bus-contract.ts';
import { documentsContract } from '../testing/contracts/documents-contract.ts';
import { hostedRowsContract } from '../testing/contracts/hosted-rows-contract.ts';
import { inboxContract } from '../testing/contracts/inbox-contract.ts';
import { jobQueueContract } from '../testing/contracts/job-queue-contract.ts';
import { claimable, filing, id, newJob, settled, workerRow } from '../testing/contracts/job-queue-samples.ts';
import { journalContract } from '../testing/contracts/journal-contract.ts';
import { request } from '../testing/contracts/journal-samples.ts';
import { leaseContract } from '../testing/contracts/lease-contract.ts';
import { nodesContract } from '../testing/contracts/nodes-contract.ts';
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
nodesContract('memory', open);
documentsContract('memory', open);

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

test('[P1] an append of nothing is a bug of the caller, in memory too', async () => {
  await expect(createMemoryStore().journal.append(request(0, []))).rejects.toThrow('Broken invariant');
});

test("[C62] a worker's newest ended jobs stay listed, ordered by end, then by place", async () => {
  const { jobs } = createMemoryStore();
  await jobs.enrol(workerRow('a'));
  const ends = [30, 10, 20, 20, 40];
  for (const [index, at] of ends.entries()) {
    await jobs.file([newJob(`${index}`, 'a')], filing);
    await jobs.claim(claimable());
    await jobs.settle({ job: id(`${index}`), attempt: 1 }, settled({ at, keepEnded: 3 }));
  }
  expect((await jobs.jobs({ which: 'listed' })).map((row) => row.id).toSorted()).toEqual([
    'job_0',
    'job_3',
    'job_4',
  ]);
});

test('[O10] a dry sweep counts what would go and starts no waiting time', async () => {
  const { blobs, upkeep } = createMemoryStore();
  await blobs.put('ten bytes!');
  const sweep = (now: number, isDry: boolean) => upkeep.sweepBlobs({ now, uptime: now, waitMs: 100, isDry });
  expect(await sweep(0, true)).toEqual({ blobs: 0, bytes: 0, waiting: 1 });
  expect(await sweep(200, false)).toEqual({ blobs: 0, bytes: 0, waiting: 1 });
  expect(await sweep(299, false)).toEqual({ blobs: 0, bytes: 0, waiting: 1 });
  expect(await sweep(300, true)).toEqual({ blobs: 1, bytes: 10, waiting: 0 });
  expect(await sweep(300, false)).toEqual({ blobs: 1, bytes: 10, waiting: 0 });
  expect(await sweep(301, false)).toEqual({ blobs: 0, bytes: 0, waiting: 0 });
});
