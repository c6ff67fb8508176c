/**
 * The main side of the writer thread. Operations that arrive during a commit form the next batch. The thread keeps
 * the process alive only while an answer is pending, and starts with the first batch that isn't committed in line.
 */
import { Worker } from 'node:worker_threads';

import { Fault } from '../../kernel/fault.ts';
import { failureOf, faultOf } from '../store-fault.ts';
import type { InlineWriter } from './inline-writer.ts';
import type { Batch, BatchAnswer, OpFailure, ThreadAnswer, WriteOp, WriterSetup } from './writer-protocol.ts';

export interface WriterThread {
  write(op: WriteOp): Promise<unknown>;
  /** Ends the thread after all answers. */
  close(): Promise<void>;
  /** Ends the thread at once, like a kill. Nothing is answered any more. */
  abandon(): Promise<void>;
}

interface Waiting {
  readonly op: WriteOp;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Small enough to prepare one batch while another commits. */
const mostInBatch = 512;

export function createWriterThread(
  url: URL,
  setup: WriterSetup,
  options: {
    readonly inline: InlineWriter;
    now(): number;
    onCommitted(answer: BatchAnswer, ops: readonly WriteOp[]): void;
  },
): WriterThread {
  let worker: Worker | undefined;
  let queue: Waiting[] = [];
  let running: readonly Waiting[] = [];
  let isScheduled = false;
  let whenIdle: (() => void) | undefined;
  let state: 'open' | 'closing' | 'closed' = 'open';

  function start(): Worker {
    if (worker !== undefined) return worker;
    const started = new Worker(url, { workerData: setup, name: 'rondo-writer', execArgv: [] });
    started.on('message', (answer: ThreadAnswer) => {
      started.unref();
      options.inline.threadCommitted({ hasCompany: running.length > 1 || queue.length > 0, ms: answer.ms });
      settle(answer);
    });
    started.on('error', (error) => fail(started, error));
    started.on('exit', () => fail(started, new Error('the writer thread ended')));
    started.unref();
    worker = started;
    return started;
  }

  function post(): void {
    isScheduled = false;
    if (running.length > 0 || queue.length === 0) return;
    running = queue.length <= mostInBatch ? queue : queue.slice(0, mostInBatch);
    queue = queue.slice(mostInBatch);
    const batch: Batch = { now: options.now(), ops: running.map(({ op }) => op) };
    const answer = options.inline.write(batch);
    if (answer !== undefined) return settle(answer);
    const thread = start();
    thread.ref();
    thread.postMessage(batch, []);
  }

  function settle(answer: BatchAnswer): void {
    const settled = running;
    running = [];
    // Sends the next batch first, so that the thread works while we deliver answers.
    post();
    options.onCommitted(
      answer,
      settled.map(({ op }) => op),
    );
    let index = -1;
    for (const { op, resolve, reject } of settled) {
      index += 1;
      const one = answer.answers[index];
      if (isFailure(one)) reject(faultOf(one.failure, doing(op), setup.path));
      else resolve(one);
    }
    if (running.length === 0) whenIdle?.();
  }

  /** The thread died; the next write starts another. */
  function fail(gone: Worker, error: Error): void {
    if (worker !== gone) return;
    worker = undefined;
    const lost = [...running, ...queue];
    running = [];
    queue = [];
    for (const { op, reject } of lost) reject(faultOf(failureOf(error), doing(op), setup.path, error));
    whenIdle?.();
  }

  return {
    write(op) {
      if (state !== 'open') return Promise.reject(closed(op, setup.path));
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      queue.push({ op, resolve, reject });
      if (!isScheduled && running.length === 0) {
        isScheduled = true;
        // Other operations of the same turn of the event loop share the commit.
        queueMicrotask(post);
      }
      return promise;
    },
    async close() {
      if (state !== 'open') return;
      state = 'closing';
      if (running.length > 0 || queue.length > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
      state = 'closed';
      options.inline.close();
      const open = worker;
      worker = undefined;
      if (open === undefined) return;
      open.ref();
      const ended = new Promise((resolve) => open.once('exit', resolve));
      open.postMessage('close', []);
      await ended;
    },
    async abandon() {
      state = 'closed';
      options.inline.close();
      const open = worker;
      worker = undefined;
      queue = [];
      running = [];
      await open?.terminate();
    },
  };
}

function isFailure(answer: unknown): answer is OpFailure {
  return typeof answer === 'object' && answer !== null && 'type' in answer && answer.type === 'failed';
}

function closed(op: WriteOp, path: string): Fault {
  return new Fault('closed', `${doing(op)} in ${path} failed: the store was closed. Open it again.`);
}

function doing(op: WriteOp): string {
  switch (op[0]) {
    case 'append':
      return `Appending to session ${op[1]}`;
    case 'snapshot':
      return `Saving a snapshot of session ${op[1]}`;
    case 'damage':
      return `Marking session ${op[1]} as damaged or sound`;
    case 'claim':
      return `Claiming session ${op[1]}`;
    case 'cleaned':
      return `Marking session ${op[1]} as cleaned up`;
    case 'release':
      return `Releasing session ${op[1]}`;
    case 'renew':
      return 'Renewing the lease of this process';
    case 'leave':
      return 'Giving up the sessions of this process';
    case 'forget-process':
      return `Forgetting process ${op[1][0]}`;
    case 'hand-over':
      return `Asking for session ${op[1]}`;
    case 'put':
      return `Leaving a message for session ${op[1]}`;
    case 'bury':
      return `Setting message ${op[1]} aside`;
    case 'queue':
      return `Changing the job queue (${op[1][0]})`;
    case 'blobs':
      return `Updating the list of blobs (${op[1][0]})`;
    case 'node':
      return `Changing the list of nodes (${op[1][0]})`;
    case 'document':
      return `Writing document ${op[1]}`;
    case 'host':
      return `Updating the host of session ${op[1]}`;
    case 'remove':
      return `Removing session ${op[1]}`;
    case 'set-aside':
      return `Setting damaged records of session ${op[1]} aside`;
    case 'show':
      return `Rebuilding the index of session ${op[1]}`;
    case 'index':
      return 'Making search up to date';
  }
}
