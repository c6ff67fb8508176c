/** The writer thread: opens the file and answers each batch with one message. */
import { parentPort, workerData } from 'node:worker_threads';

import { failureOf } from '../store-fault.ts';
import type { Driver } from './driver.ts';
import { openForWriting } from './open-for-writing.ts';
import type { Batch, BatchAnswer, ThreadAnswer, WriterSetup } from './writer-protocol.ts';

const setup = workerData as WriterSetup;
let db: Driver | undefined;
let write: ((batch: Batch) => BatchAnswer) | undefined;

parentPort?.on('message', (batch: Batch | 'close') => {
  if (batch === 'close') {
    db?.close();
    parentPort?.close();
  } else {
    const started = performance.now();
    const { answers, positions } = answer(batch);
    const reply: ThreadAnswer = { answers, positions, ms: performance.now() - started };
    parentPort?.postMessage(reply, []);
  }
});

/** A failed open may succeed later: a folder appears, a disk is mounted again. */
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
  const opened = openForWriting(setup, { busyTimeoutMs: setup.busyTimeoutMs });
  ({ db } = opened);
  return opened.write;
}
