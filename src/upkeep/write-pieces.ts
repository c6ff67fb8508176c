import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes pieces to a file that only its owner can read, atomically. */
export async function writePieces(pieces: AsyncIterable<string | Uint8Array>, file: string): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(part, { mode: 0o600, flush: true }));
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}
