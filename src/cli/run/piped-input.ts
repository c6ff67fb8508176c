/**
 * Input piped into a run in addition to its prompt: `cat log | rondo run "explain this"`.
 *
 * 1. A terminal and `/dev/null` provide none.
 * 2. A pipe or a file from the shell is read to its end. A notice tells the user what the run is waiting for.
 * 3. A program that starts a run often leaves its end of a socket open and sends nothing, so the run doesn't wait
 *    for it.
 */
import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';

interface PipedInput {
  readonly kind: 'none' | 'pipe' | 'socket';
  readonly stream: Readable;
  readonly tell: (line: string) => void;
  /** How long to wait for input before showing the notice or giving up. */
  readonly patienceMs?: number;
}

export async function readPiped({ kind, stream, tell, patienceMs = 3000 }: PipedInput): Promise<string> {
  if (kind === 'none') return '';
  const silent = Promise.withResolvers<'silent'>();
  const timer = setTimeout(() => {
    if (kind === 'socket') silent.resolve('silent');
    else tell('Reading standard input to its end; `< /dev/null` runs without it.');
  }, patienceMs);
  stream.once('data', () => clearTimeout(timer));
  const chunks: Buffer[] = [];
  const read = (async () => {
    for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
    return 'read' as const;
  })();
  const ended = await Promise.race([read, silent.promise]);
  clearTimeout(timer);
  if (ended === 'silent') {
    read.catch(() => undefined);
    stream.destroy();
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}

export function standardInputKind(): PipedInput['kind'] {
  try {
    const stats = fstatSync(0);
    if (stats.isSocket()) return 'socket';
    return stats.isFIFO() || stats.isFile() ? 'pipe' : 'none';
  } catch {
    // The parent process closed it.
    return 'none';
  }
}
