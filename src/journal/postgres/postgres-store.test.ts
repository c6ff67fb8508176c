import { describe } from 'vitest';

import { noServer } from '../../../test/fixtures/postgres/server.ts';
import { hasServer } from '../../../test/fixtures/postgres/shared-server.ts';
import { openPostgresUnderTest } from '../../../test/fixtures/postgres/store-under-test.ts';
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

describe.skipIf(!hasServer())(`[C151] ${hasServer() ? '' : noServer}`, () => {
  const open = () => openPostgresUnderTest();
  journalContract('PostgreSQL', open);
  leaseContract('PostgreSQL', open);
  inboxContract('PostgreSQL', open);
  hostedRowsContract('PostgreSQL', open);
  jobQueueContract('PostgreSQL', open);
  busContract('PostgreSQL', open);
  blobsContract('PostgreSQL', open);
  upkeepContract('PostgreSQL', open);
  nodesContract('PostgreSQL', open);
  documentsContract('PostgreSQL', open);
});
