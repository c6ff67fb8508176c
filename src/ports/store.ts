import type { Blobs } from './blobs.ts';
import type { Bus } from './bus.ts';
import type { Documents } from './documents.ts';
import type { HostedRows } from './hosted-rows.ts';
import type { Inbox } from './inbox.ts';
import type { JobQueue } from './job-queue.ts';
import type { Journal } from './journal.ts';
import type { Leases } from './lease.ts';
import type { Nodes } from './nodes.ts';
import type { Upkeep } from './upkeep.ts';

/** All durable data of a Rondo process, opened and closed together. */
export interface Store extends AsyncDisposable {
  /** True if several machines can open it, so that a folder isn't everywhere. */
  readonly isShared?: boolean;
  readonly journal: Journal;
  readonly leases: Leases;
  readonly inbox: Inbox;
  readonly jobs: JobQueue;
  readonly hosted: HostedRows;
  readonly bus: Bus;
  readonly blobs: Blobs;
  readonly upkeep: Upkeep;
  readonly nodes: Nodes;
  readonly documents: Documents;
}
