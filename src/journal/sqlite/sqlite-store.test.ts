import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

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
import type { StoreUnderTest } from '../../testing/contracts/store-under-test.ts';
import type { Store } from '../../ports/store.ts';
import { openDriver } from './driver.ts';
import { openSqliteStore, type SqliteStore } from './sqlite-store.ts';

const adaptive = () => open('adaptive');
const threaded = () => open('thread');
journalContract('SQLite', adaptive);
journalContract('SQLite, on the writer thread alone', threaded);
leaseContract('SQLite', adaptive);
leaseContract('SQLite, on the writer thread alone', threaded);
inboxContract('SQLite', adaptive);
hostedRowsContract('SQLite', adaptive);
jobQueueContract('SQLite', adaptive);
busContract('SQLite', adaptive);
blobsContract('SQLite', adaptive);
upkeepContract('SQLite', adaptive);
nodesContract('SQLite', adaptive);
nodesContract('SQLite, on the writer thread alone', threaded);
documentsContract('SQLite', adaptive);

async function open(commits: 'adaptive' | 'thread'): Promise<StoreUnderTest> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-contract-'));
  const file = path.join(folder, 'store.db');
  const gone = new Set<string>();
  const another = () =>
    openSqliteStore({
      path: file,
      leaseMs: 2000,
      commits,
      socketFolder: path.join(folder, 'sockets'),
      isDead: ({ id }) => gone.has(id),
    });
  const store = await another();
  const opened: Store[] = [store];
  return {
    store,
    another,
    async reopen() {
      await store[Symbol.asyncDispose]();
      const reopened = await another();
      opened.push(reopened);
      return reopened;
    },
    async crash(crashed) {
      gone.add(crashed.leases.self.id);
      await (crashed as SqliteStore).abandon();
    },
    lapse(sleeper) {
      // As an observer marks a process that exists but didn't renew its lease.
      const db = openDriver(file, { busyTimeoutMs: 1000 });
      db.run('UPDATE processes SET taken = 1 WHERE id = ?', sleeper.leases.self.id);
      db.close();
      return Promise.resolve();
    },
    damageRecord(session, first) {
      const db = openDriver(file, { busyTimeoutMs: 1000 });
      const changed = db.run(spoilRecord, first, session);
      db.close();
      return changed === 1 ? Promise.resolve() : Promise.reject(new Error(`No record of ${session} at ${first}.`));
    },
    damageBlob: (hash) => writeFile(path.join(`${file}.blobs`, hash.slice(0, 2), hash.slice(2)), 'spoiled'),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((one) => one[Symbol.asyncDispose]()));
      await rm(folder, { recursive: true });
    },
  };
}

const spoilRecord = `
  UPDATE records SET body = replace(body, 'custom', 'custon')
  WHERE first = ? AND session = (SELECT number FROM sessions WHERE id = ?)`;
