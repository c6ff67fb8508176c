/**
 * What goes to the writer thread and back. Tuples of texts and numbers, because that is what crosses
 * a thread boundary fastest; a batch is one message each way.
 */
import type { Owner } from '../lease.ts';
import type { Failure } from '../store-fault.ts';
import type { QueueWrite } from './job-queue-write.ts';
import type { BlobWrite } from './write-blobs.ts';

export interface WriterSetup {
  readonly path: string;
  readonly busyTimeoutMs: number;
  readonly self: Owner;
  readonly leaseMs: number;
  /** Version of Rondo that writes. */
  readonly version: string;
}

export interface Batch {
  readonly now: number;
  readonly ops: readonly WriteOp[];
}

export type WriteOp =
  | AppendOp
  | readonly ['snapshot', session: string, seq: number, version: number, body: string]
  /** Without a sequence: the session is sound. */
  | readonly ['damage', session: string, seq: number | null, reason: string | null]
  /** `gone`: id of the owner that was found dead or lapsed. */
  | readonly ['claim', session: string, gone: string | null]
  | readonly ['release', session: string, epoch: number]
  | readonly ['renew']
  | readonly ['leave']
  | readonly ['hand-over', session: string]
  | readonly ['put', session: string, key: string, body: string]
  | readonly ['settle', id: number, answer: string]
  | readonly ['queue', write: QueueWrite]
  /** Without a body: it is over. */
  | readonly ['host', session: string, body: string | null]
  | readonly ['blobs', write: BlobWrite]
  | UpkeepOp;

/** `session, epoch, seq` say what the caller saw; where it is no longer so nothing is done. */
export type UpkeepOp =
  | readonly ['remove', session: string, epoch: number, seq: number]
  | readonly ['set-aside', session: string, epoch: number, seq: number, from: number, reason: string]
  | readonly ['show', session: string, seq: number, projection: ProjectionTuple]
  | readonly ['index', upTo: number, rows: readonly (readonly [position: number, text: string])[]]
  | readonly ['forget-owner', id: string];

export type AppendOp = readonly [
  type: 'append',
  session: string,
  epoch: number,
  expected: number,
  records: readonly StoredTuple[],
  projection: ProjectionTuple | null,
  creation: readonly [key: string, digest: string] | null,
  /** Blobs that are named although they are not kept. */
  lost?: readonly string[],
];

export type StoredTuple = readonly [
  first: number,
  last: number,
  checksum: number,
  body: string,
  key: string | null,
  digest: string | null,
];

export type ProjectionTuple = readonly [
  entry: EntryTuple | null,
  opened: readonly (readonly [id: string, openedAt: number, type: string, about: string])[] | null,
  closed: readonly string[] | null,
  due: readonly [number | null] | null,
];

export type EntryTuple = readonly [
  updatedAt: number,
  entry: string,
  state: string,
  agent: string,
  parent: string | null,
  title: string,
  origin: string | null,
];

/** Answers in the order of the operations; a number alone is the sequence an append reached. */
export interface BatchAnswer {
  readonly answers: readonly unknown[];
  /** Positions of the records written, which follow each other. */
  readonly positions: readonly [first: number, last: number] | null;
}

/** What the thread says of a batch: the answer, and how long its disk took. */
export interface ThreadAnswer extends BatchAnswer {
  readonly ms: number;
}

export type OpFailure = { readonly type: 'failed'; readonly failure: Failure };
