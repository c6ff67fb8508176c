/**
 * What goes to the writer thread and back. Tuples of texts and numbers, because that is what crosses
 * a thread boundary fastest; a batch is one message each way.
 */
import type { Owner } from '../lease.ts';
import type { Failure } from '../store-fault.ts';
import type { QueueWrite } from './job-queue-write.ts';
import type { BlobWrite } from './write-blobs.ts';
import type { GoneOwner } from './write-lease.ts';

export interface WriterSetup {
  readonly path: string;
  readonly busyTimeoutMs: number;
  readonly self: Owner;
  /** Version of Rondo that writes. */
  readonly version: string;
}

export interface Batch {
  readonly now: number;
  readonly ops: readonly WriteOp[];
}

export type WriteOp =
  | AppendOp
  | readonly ['snapshot', session: string, epoch: number, seq: number, version: number, body: string]
  /** Without a sequence: the session is sound. */
  | readonly ['damage', session: string, seq: number | null, reason: string | null]
  | readonly ['claim', session: string, gone: GoneOwner | null]
  | readonly ['cleaned', session: string, epoch: number]
  | readonly ['release', session: string, epoch: number, isUnclean: boolean]
  | readonly ['renew']
  | readonly ['leave']
  | readonly ['forget-process', gone: GoneOwner]
  | readonly ['hand-over', session: string, withinMs: number | null]
  | readonly ['put', session: string, key: string, body: string]
  /** Without a reason: its sender takes it back. */
  | readonly ['bury', id: number, answer: string, reason: string | null]
  | readonly ['queue', write: QueueWrite]
  /** Without a body: it is over. */
  | readonly ['host', session: string, body: string | null]
  | readonly ['blobs', write: BlobWrite]
  | UpkeepOp;

/** `session, epoch, seq` say what the caller saw; where it is no longer so nothing is done. */
export type UpkeepOp =
  | readonly ['remove', session: string, epoch: number, seq: number, family: readonly string[]]
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
  settles: readonly (readonly [letter: number, answer: string])[] | null,
  /** What earlier owners left in flight is settled. */
  recovered: boolean,
  /** Sessions that must be there. */
  refersTo: readonly string[] | null,
  /** Blobs that are named although they are not kept. */
  lost: readonly string[] | null,
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
  inFlight: 0 | 1,
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
