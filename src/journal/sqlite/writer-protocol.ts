/**
 * Messages to and from the writer thread. Tuples of strings and numbers cross a thread boundary fastest; a batch is
 * one message each way.
 */
import type { Owner } from '../../ports/lease.ts';
import type { StoreFailure } from '../store-fault.ts';
import type { QueueWrite } from '../job-queue-rules.ts';
import type { ProjectionTuple } from '../projection-tuple.ts';
import type { BlobWrite } from './write-blobs.ts';
import type { GoneOwner } from '../process-row.ts';
import type { NodeWrite } from './write-nodes.ts';

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
  /** No reason means that the sender withdraws it. */
  | readonly ['bury', id: number, answer: string, reason: string | null]
  | readonly ['queue', write: QueueWrite]
  /** Without a body: finished. */
  | readonly ['host', session: string, body: string | null]
  | readonly ['blobs', write: BlobWrite]
  | readonly ['node', write: NodeWrite]
  | readonly ['document', name: string, body: string, seen: number]
  | UpkeepOp;

/** `session, epoch, seq` are what the caller saw. If they changed, nothing is done. */
export type UpkeepOp =
  | readonly ['remove', session: string, epoch: number, seq: number, family: readonly string[]]
  | readonly ['set-aside', session: string, epoch: number, seq: number, from: number, reason: string]
  | readonly ['show', session: string, seq: number, projection: ProjectionTuple]
  | readonly ['index', upTo: number, rows: readonly (readonly [position: number, text: string])[]];

export type AppendOp = readonly [
  type: 'append',
  session: string,
  epoch: number,
  expected: number,
  records: readonly StoredTuple[],
  projection: ProjectionTuple | null,
  creation: readonly [key: string, digest: string] | null,
  settles: readonly (readonly [letter: number, answer: string])[] | null,
  /** Settles what earlier owners left in flight. */
  recovered: boolean,
  /** Sessions that must exist. */
  refersTo: readonly string[] | null,
  /** Named blobs that are lost. */
  lost: readonly string[] | null,
  leastReader: number | null,
  /** Has an id, so that it may be the repeat of one that was written. */
  mayRepeat: boolean,
];

export type StoredTuple = readonly [
  first: number,
  last: number,
  checksum: number,
  body: string,
  key: string | null,
  digest: string | null,
];

/** Answers in the order of the operations; a bare number is an append's new sequence. */
export interface BatchAnswer {
  readonly answers: readonly unknown[];
  /** Positions of the written records, consecutive. */
  readonly positions: readonly [first: number, last: number] | null;
}

/** The thread's answer to a batch, with the commit's duration. */
export interface ThreadAnswer extends BatchAnswer {
  readonly ms: number;
}

export type OpFailure = { readonly type: 'failed'; readonly failure: StoreFailure };
