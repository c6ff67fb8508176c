/**
 * A bundle: sessions in one file for import on another machine, complete or cut.
 *
 * 1. One item per line: an integrity hash, a space, JSON. The hash covers the JSON and the previous line's hash, so
 *    that any changed, dropped, added or moved line is detected. It isn't a signature: an attacker can recompute
 *    all hashes.
 * 2. A head, then each session: a line about it, then its records in order, each blob before the first record that
 *    names it, then an end. So a bundle that is cut anywhere is sound up to the cut.
 */
import { hash } from 'node:crypto';

import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import type { NewRecord } from '../../ports/journal.ts';

export const bundleFormat = 1;

export type BundleLine = BundleHead | BundleSession | BundleBlob | BundleRecord | BundleEnd;

export interface BundleHead {
  readonly type: 'bundle';
  readonly format: number;
  /** The Rondo version that wrote it. */
  readonly rondo: string;
  readonly session: SessionId;
  /** The session's newest sequence. */
  readonly head: number;
  readonly at: number;
}

export interface BundleSession {
  readonly type: 'session';
  readonly session: SessionId;
  /** The last sequence in the bundle. */
  readonly head: number;
  /** `shared`: included only because another session refers to it. */
  readonly role: 'main' | 'child' | 'shared';
}

interface BundleBlob {
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
  /** Records and blobs with redacted secrets, which differ from the original. */
  readonly redacted: number;
  /** Blobs that the exporting store lacked. */
  readonly missing: readonly BlobHash[];
  /** Children that were too large to include. */
  readonly leftOut: readonly SessionId[];
}

/** Chains lines: each hash includes the previous one. */
export function createChain(): (json: string) => string {
  let previous = '';
  return (json) => (previous = hash('sha256', `${previous}\n${json}`, 'hex'));
}

export const hashLength = 64;
