/**
 * A store in memory, for tests and for programs that keep nothing. It keeps every promise of the ports except
 * survival. Several seats at one store behave like several processes on one file.
 */
import type { BlobHash, SessionId } from '../kernel/ids.ts';
import { createMemoryBlobs } from './memory-blobs.ts';
import { createMemoryBus } from './memory/bus.ts';
import { createMemoryDocuments } from './memory/documents.ts';
import { createMemoryHostedRows } from './memory/hosted-rows.ts';
import { createMemoryInbox } from './memory/inbox.ts';
import { createMemoryJobQueue } from './memory/job-queue.ts';
import { createMemoryJournal } from './memory/journal.ts';
import { createMemoryLeases } from './memory/leases.ts';
import { createMemoryNodes } from './memory/nodes.ts';
import { createMemoryUpkeep } from './memory/upkeep.ts';
import { createShared, leaveSeat, takeSeat, type Shared } from './memory/shared.ts';
import type { Store } from '../ports/store.ts';

/** The memory store, with controls for tests. */
export interface MemoryStore extends Store {
  /** The same store as seen by another process, with its own owner. Works even after this one was closed. */
  another(): MemoryStore;
  /** Simulates a kill: nothing is answered any more, and its sessions can be taken at once. */
  crash(): void;
  /** Simulates sleep past the lease: it continues, but its sessions can be taken, and it learns about it. */
  lapse(): void;
  /** Renews the lease after sleep, unless something was taken. */
  renew(): void;
  /** Damages the stored record at a sequence. */
  damageRecord(session: SessionId, first: number): void;
  damageBlob(hash: BlobHash): void;
}

/** A store in this process, with the promises of the one on disk. */
export function createMemoryStore(): MemoryStore {
  return createSeat(createShared());
}

function createSeat(shared: Shared): MemoryStore {
  const seat = takeSeat(shared);
  const blobs = createMemoryBlobs(shared.blobs);
  return {
    journal: createMemoryJournal(shared, seat),
    leases: createMemoryLeases(shared, seat),
    inbox: createMemoryInbox(shared, seat),
    jobs: createMemoryJobQueue(shared, seat),
    hosted: createMemoryHostedRows(shared, seat),
    bus: createMemoryBus(shared, seat),
    blobs,
    upkeep: createMemoryUpkeep(shared, seat, blobs),
    nodes: createMemoryNodes(shared, seat),
    documents: createMemoryDocuments(shared, seat),
    another: () => createSeat(shared),
    crash: () => leaveSeat(shared, seat, 'crashed'),
    lapse: () => {
      if (seat.status !== 'alive') return;
      seat.status = 'lapsed';
      seat.standings.tell('lapsed');
    },
    renew: () => {
      if (seat.status !== 'lapsed') return;
      seat.status = 'alive';
      seat.standings.tell('sure');
    },
    damageRecord(session, first) {
      const records = shared.sessions.get(session)?.records ?? [];
      const index = records.findIndex((record) => record.first === first);
      const spoiled = records[index];
      if (spoiled === undefined) throw new Error(`Session ${session} has no record that begins at ${first}.`);
      const events = spoiled.record.events.map(() => '{"type":');
      records[index] = { first, record: { ...spoiled.record, events } };
    },
    damageBlob: (hash) => void shared.blobs.set(hash, { content: 'spoiled', putAt: Date.now() }),
    [Symbol.asyncDispose]: () => {
      leaveSeat(shared, seat, 'closed');
      return Promise.resolve();
    },
  };
}
