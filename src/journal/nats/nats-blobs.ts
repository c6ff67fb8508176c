/**
 * Blobs in pieces of 256 kB, in the manner of an object store: first the pieces under their hash, then the row that
 * names them. Pieces of the same content are the same, so any number of processes may put it at once.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import type { Blobs, KeptBlob } from '../../ports/blobs.ts';
import { blobHashOf, isBlobHash } from '../blob-hash.ts';
import type { BlobMark } from '../blob-mark.ts';
import type { NatsParts } from './store-parts.ts';

export interface BlobRow {
  readonly hash: BlobHash;
  readonly size: number;
  readonly putAt: number;
  /** The sequences of its pieces. */
  readonly pieces: readonly number[];
  readonly mark?: BlobMark;
  /** A sweep is about to delete it: who names it now has to put it again. */
  readonly isDying?: true;
}

export interface BlobRows {
  read(hash: BlobHash): Promise<{ readonly rev: number; readonly row: BlobRow } | undefined>;
  /** Replaces the row that was seen. */
  write(row: BlobRow, rev: number): Promise<number | undefined>;
  all(): AsyncGenerator<{ readonly rev: number; readonly row: BlobRow }>;
  isReferenced(hash: BlobHash): Promise<boolean>;
  /** Notes that a session names blobs. Returns those that aren't kept and that nothing named before. */
  refer(hashes: readonly BlobHash[], session: SessionId, lost: readonly BlobHash[]): Promise<readonly BlobHash[]>;
  of(session: SessionId): Promise<readonly BlobHash[]>;
}

const longestPiece = 262_144;

type BlobParts = Pick<NatsParts, 'client' | 'layout' | 'clock'>;

export function createBlobRows({ client, layout }: BlobParts): BlobRows {
  const doing = 'Looking for a blob';
  const subjectOf = (hash: string) => layout.subject('kept', 'blob', hash);
  const refSubject = (hash: string, by: string) => layout.subject('kept', 'ref', hash, by);

  async function read(hash: BlobHash) {
    const message = await client.last(doing, layout.kept, subjectOf(hash));
    return message && { rev: message.seq, row: JSON.parse(message.body.toString()) as BlobRow };
  }

  const isKept = async (hash: BlobHash) => {
    const current = await read(hash);
    return current !== undefined && current.row.isDying !== true;
  };

  const isReferenced = async (hash: BlobHash) =>
    (await client.last(doing, layout.kept, refSubject(hash, '*'))) !== undefined;

  return {
    read,
    isReferenced,
    write: (row, rev) =>
      client.publish('Writing a blob', subjectOf(row.hash), JSON.stringify(row), {
        expected: rev,
        stream: layout.kept,
      }),
    async *all() {
      for await (const { seq, body } of client.walk('Listing blobs', layout.kept, subjectOf('*'), 1)) {
        yield { rev: seq, row: JSON.parse(body.toString()) as BlobRow };
      }
    },
    async refer(hashes, session, lost) {
      const absent = await Promise.all(
        hashes.map(async (hash) => {
          const mayBeLost = lost.includes(hash) || (!(await isKept(hash)) && (await isReferenced(hash)));
          if (!mayBeLost && !(await isKept(hash))) return true;
          await client.publish(doing, refSubject(hash, session), '');
          // A sweep that didn't see the reference marked the blob before, and that shows now.
          return !mayBeLost && !(await isKept(hash));
        }),
      );
      return hashes.filter((_, index) => absent[index]);
    },
    async of(session) {
      const subjects = await client.subjects(doing, layout.kept, refSubject('*', session));
      return subjects.map((subject) => subject.split('.').at(-2) as BlobHash).toSorted();
    },
  };
}

export function createNatsBlobs({ client, layout, clock }: BlobParts, rows: BlobRows): Blobs {
  const doing = 'Writing a blob';
  const pieceBytes = Math.min(longestPiece, client.mostBytes);
  const pieceSubject = (hash: string, index: number) => layout.subject('kept', 'content', hash, String(index));

  async function keep(hash: BlobHash, size: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const pieces: number[] = [];
    for await (const piece of content) {
      pieces.push((await client.publish(doing, pieceSubject(hash, pieces.length), piece)) ?? 0);
    }
    for (;;) {
      const before = await rows.read(hash);
      const putAt = Math.max(clock.now(), (before?.row.putAt ?? 0) + 1);
      if ((await rows.write({ hash, size, putAt, pieces }, before?.rev ?? 0)) !== undefined) return;
    }
  }

  /** Through a file, because the hash is known at the end. */
  async function keepStream(stream: AsyncIterable<Uint8Array>): Promise<BlobHash> {
    const file = path.join(os.tmpdir(), `rondo-blob-${randomUUID()}`);
    const hash = createHash('sha256');
    let size = 0;
    try {
      await pipeline(
        stream,
        async function* (pieces: AsyncIterable<Uint8Array>) {
          for await (const piece of pieces) {
            hash.update(piece);
            size += piece.length;
            yield piece;
          }
        },
        createWriteStream(file, { mode: 0o600 }),
      );
      const named = hash.digest('hex') as BlobHash;
      await keep(named, size, createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>);
      return named;
    } finally {
      await rm(file, { force: true });
    }
  }

  async function bytes(hash: BlobHash): Promise<Buffer | undefined> {
    if (!isBlobHash(hash)) return undefined;
    const current = await rows.read(hash);
    if (current === undefined) return undefined;
    const pieces: Buffer[] = [];
    for (const index of current.row.pieces.keys()) {
      const piece = await client.last(`Reading blob ${hash}`, layout.kept, pieceSubject(hash, index));
      pieces.push(piece?.body ?? Buffer.alloc(0));
    }
    const whole = Buffer.concat(pieces);
    return blobHashOf(whole) === hash ? whole : undefined;
  }

  return {
    async put(content) {
      if (typeof content !== 'string' && !(content instanceof Uint8Array)) return keepStream(content);
      const whole = Buffer.from(content);
      const hash = blobHashOf(content);
      await keep(hash, whole.length, piecesOf(whole, pieceBytes));
      return hash;
    },
    get: async (hash) => (await bytes(hash))?.toString('utf8'),
    bytes,
    async *list() {
      for await (const { row } of rows.all()) {
        const { hash, size, putAt } = row;
        yield { hash, size, putAt } satisfies KeptBlob;
      }
    },
  };
}

async function* piecesOf(whole: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < whole.length; from += pieceBytes) yield whole.subarray(from, from + pieceBytes);
}
