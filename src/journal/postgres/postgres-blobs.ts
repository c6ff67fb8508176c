/**
 * Blobs as rows of 256 kB. The chunks are written first, each with its own checksum, and the row that names them
 * last, so a blob is there as a whole or not at all. Chunks without a name are left by writers that died.
 */
import { createHash, randomUUID, hash as hashNow } from 'node:crypto';

import { Fault } from '../../kernel/fault.ts';
import type { BlobHash } from '../../kernel/ids.ts';
import type { Blobs, KeptBlob } from '../../ports/blobs.ts';
import { blobHashOf, isBlobHash } from '../blob-hash.ts';
import type { StoreParts } from './store-parts.ts';

const chunkBytes = 262_144;
const listedAtOnce = 1000;
const chunksAtOnce = 16;
const mostAttempts = 3;

export function createPostgresBlobs({ db, s, clock }: Pick<StoreParts, 'db' | 's' | 'clock'>): Blobs {
  const doing = 'Writing a blob';

  async function keep(hash: BlobHash, whole: Uint8Array): Promise<void> {
    if (await db.value<boolean>(doing, `SELECT ${s}.renew_blob($1, $2)`, [hash, clock.now()])) return;
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const content = randomUUID();
      for (let from = 0, number = 0; from < whole.length; from += chunkBytes, number += 1) {
        await writeChunk(content, number, Buffer.from(whole.subarray(from, from + chunkBytes)));
      }
      if (await name(hash, content, whole.length)) return;
    }
    throw swept(hash);
  }

  async function keepStream(stream: AsyncIterable<Uint8Array>): Promise<BlobHash> {
    const content = randomUUID();
    const hash = createHash('sha256');
    let pieces: Uint8Array[] = [];
    let [size, held, number] = [0, 0, 0];
    const flush = async () => {
      if (held === 0) return;
      await writeChunk(content, number, Buffer.concat(pieces));
      number += 1;
      pieces = [];
      held = 0;
    };
    for await (const piece of stream) {
      hash.update(piece);
      pieces.push(piece);
      size += piece.length;
      held += piece.length;
      if (held >= chunkBytes) await flush();
    }
    await flush();
    const named = hash.digest('hex') as BlobHash;
    if (!(await name(named, content, size))) throw swept(named);
    return named;
  }

  async function writeChunk(content: string, number: number, bytes: Buffer): Promise<void> {
    await db.rows(
      doing,
      `INSERT INTO ${s}.blob_chunks (content, number, at, sum, bytes) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (content, number) DO NOTHING`,
      [content, number, clock.now(), hashNow('sha256', bytes, 'buffer'), bytes],
    );
  }

  /** False: the chunks are gone. */
  function name(hash: BlobHash, content: string, size: number): Promise<boolean> {
    return db.value<boolean>(doing, `SELECT ${s}.name_whole_blob($1, $2, $3, $4)`, [
      hash,
      content,
      size,
      clock.now(),
    ]);
  }

  async function bytes(hash: BlobHash): Promise<Buffer | undefined> {
    if (!isBlobHash(hash)) return undefined;
    const chunks: Buffer[] = [];
    for (;;) {
      const rows = await db.rows<{ bytes: Buffer | null }>(
        `Reading blob ${hash}`,
        `SELECT bytes FROM ${s}.blobs LEFT JOIN ${s}.blob_chunks USING (content)
         WHERE hash = $1 ORDER BY number OFFSET $2 LIMIT $3`,
        [hash, chunks.length, chunksAtOnce],
      );
      for (const row of rows) chunks.push(row.bytes ?? Buffer.alloc(0));
      if (rows.length < chunksAtOnce) break;
    }
    const whole = Buffer.concat(chunks);
    return chunks.length > 0 && blobHashOf(whole) === hash ? whole : undefined;
  }

  return {
    async put(content) {
      if (typeof content !== 'string' && !(content instanceof Uint8Array)) return keepStream(content);
      const whole = typeof content === 'string' ? Buffer.from(content) : content;
      const hash = blobHashOf(content);
      await keep(hash, whole);
      return hash;
    },
    get: async (hash) => (await bytes(hash))?.toString('utf8'),
    bytes,
    async *list() {
      let after = '';
      for (;;) {
        const rows = await db.rows<KeptBlob>(
          'Listing blobs',
          `SELECT hash, size, put_at AS "putAt" FROM ${s}.blobs WHERE hash > $1 ORDER BY hash LIMIT $2`,
          [after, listedAtOnce],
        );
        yield* rows;
        if (rows.length < listedAtOnce) return;
        after = rows.at(-1)?.hash ?? '';
      }
    },
  };
}

function swept(hash: BlobHash): Fault {
  const why =
    'another process swept its chunks while they were written. Compare the clocks of your machines, and retry';
  return new Fault('busy', `Can't write blob ${hash}: ${why}.`);
}
