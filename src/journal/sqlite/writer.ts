/** The writer thread: opens the file, and answers every batch with one message. */
import { parentPort, workerData } from 'node:worker_threads';

import { failureOf } from '../store-fault.ts';
import { openDriver, type Driver } from './driver.ts';
import { createBatchWriter } from './write-batch.ts';
import type { Batch, BatchAnswer, WriterSetup } from './writer-protocol.ts';

const setup = workerData as WriterSetup;
let db: Driver | undefined;
let write: ((batch: Batch) => BatchAnswer) | undefined;

parentPort?.on('message', (batch: Batch | 'close') => {
  if (batch === 'close') {
    db?.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(answer(batch), []);
  }
});

/** What fails while opening may work the next time: a folder appears, a disk is mounted again. */
function answer(batch: Batch): BatchAnswer {
  try {
    write ??= open();
  } catch (error) {
    const failure = failureOf(error);
    return { answers: batch.ops.map(() => ({ type: 'failed', failure })), positions: null };
  }
  return write(batch);
}

function open(): (batch: Batch) => BatchAnswer {
  db = openDriver(setup.path, setup);
  db.exec(
    'PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 4000',
  );
  return createBatchWriter(db, setup);
}
