import { once } from 'node:events';

export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    if (!process.stdout.writable) return;
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain').catch(() => undefined);
  }
}
