import { describe } from 'vitest';

import { noNats } from '../../../test/fixtures/nats/server.ts';
import { openNatsUnderTest } from '../../../test/fixtures/nats/store-under-test.ts';
import { blobsContract } from '../../testing/contracts/blobs-contract.ts';
import { busContract } from '../../testing/contracts/bus-contract.ts';
import { documentsContract } from '../../testing/contracts/documents-contract.ts';
import { hostedRowsContract } from '../../testing/contracts/hosted-rows-contract.ts';
import { inboxContract } from '../../testing/contracts/inbox-contract.ts';
import { jobQueueContract } from '../../testing/contracts/job-queue-contract.ts';
import { journalContract } from '../../testing/contracts/journal-contract.ts';
import { leaseContract } from '../../testing/contracts/lease-contract.ts';
import { nodesContract } from '../../testing/contracts/nodes-contract.ts';
import { upkeepContract } from '../../testing/contracts/upkeep-contract.ts';

describe.skipIf(noNats() !== undefined)(`[C152] ${noNats() ?? ''}`, () => {
  const open = () => openNatsUnderTest();
  journalContract('NATS', open);
  leaseContract('NATS', open);
  inboxContract('NATS', open);
  hostedRowsContract('NATS', open);
  jobQueueContract('NATS', open);
  busContract('NATS', open);
  blobsContract('NATS', open);
  upkeepContract('NATS', open);
  nodesContract('NATS', open);
  documentsContract('NATS', open);
});
