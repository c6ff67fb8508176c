/**
 * `rondo/testing/contracts`: the contracts of stores, models and tools, as suites to run on your own adapter. They
 * are written for vitest, so a program that runs them needs it as a development dependency. The rest of
 * `rondo/testing` needs no test runner.
 *
 *     journalContract('in my database', openMyStore);
 */
export { blobsContract } from './blobs-contract.ts';
export { busContract } from './bus-contract.ts';
export { documentsContract } from './documents-contract.ts';
export { hostedRowsContract } from './hosted-rows-contract.ts';
export { inboxContract } from './inbox-contract.ts';
export { jobQueueContract } from './job-queue-contract.ts';
export { journalContract } from './journal-contract.ts';
export { leaseContract } from './lease-contract.ts';
export { modelContract, type ModelUnderTest } from './model-contract.ts';
export { nodesContract } from './nodes-contract.ts';
export type { OpenStore, StoreUnderTest } from './store-under-test.ts';
export { toolContract, type OpenTool, type ToolUnderTest, type ToolWorkspace } from './tool-contract.ts';
export { upkeepContract } from './upkeep-contract.ts';
