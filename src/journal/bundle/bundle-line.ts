/**
 * A bundle: sessions in one file that another machine can import, cut or whole.
 *
 * 1. One line a thing: an integrity hash, a blank, JSON. The hash covers the JSON and the hash of the
 *    line before, so that nothing can be changed, dropped, added or moved without the first such line showing.
 *    It shows damage and tampering by somebody who does not make all the hashes anew; it is no signature.
 * 2. A head, then each session: a line about it, its records in order, each blob before the record
 *    that names it first. So a bundle that is cut off anywhere is sound up to the cut. Then an end.
 */
import { hash } from 'node:crypto';

import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import type { NewRecord } from '../journal.ts';

export const bundleFormat = 1;

export type BundleLine = BundleHead | BundleSession | BundleBlob | BundleRecord | BundleEnd;

export interface BundleHead {
  readonly type: 'bundle';
  readonly format: number;
  /** The version of Rondo that wrote it. */
  readonly rondo: string;
  readonly session: SessionId;
  /** Sequence that the session had reached. */
  readonly head: number;
  readonly at: number;
}

export interface BundleSession {
  readonly type: 'session';
  readonly session: SessionId;
  /** Up to here it is in the bundle. */
  readonly head: number;
  /** `shared`: there only because another one in the bundle refers to it. */
  readonly role: 'main' | 'child' | 'shared';
}

export interface BundleBlob {
  readonly type: 'blob';
  readonly hash: BlobHash;
  readonly content: string;
}

export interface BundleRecord {
  readonly type: 'record';
  readonly session: SessionId;
  readonly first: number;
  readonly last: number;
  readonly body: string;
  readonly key?: NonNullable<NewRecord['key']>;
}

export interface BundleEnd {
  readonly type: 'end';
  readonly records: number;
  readonly blobs: number;
  /** Records and blobs in which secrets were hidden: their content differs from the original's. */
  readonly redacted: number;
  /** Blobs that the exporting store did not have either. */
  readonly missing: readonly BlobHash[];
  /** Children that were too large to come along. */
  readonly leftOut: readonly SessionId[];
}

/** Links lines: each hash follows from the one before. */
export function createChain(): (json: string) => string {
  let previous = '';
  return (json) => (previous = hash('sha256', `${previous}\n${json}`, 'hex'));
}

export const hashLength = 64;
