import type { FileHandle } from 'node:fs/promises';

type ReadLines =
  | { readonly type: 'lines'; readonly kept: readonly string[]; readonly seen: number }
  | { readonly type: 'binary' };

const BLOCK = 256 * 1024;
const NEWLINE = 10;

/**
 * Reads a range of lines from a file of any size, in bounded memory. Earlier lines are only counted, later ones
 * aren't read, and at most `longest` bytes of a line are kept.
 */
export async function readLineRange(
  handle: FileHandle,
  wanted: {
    readonly from: number;
    readonly count: number;
    readonly longest: number;
    readonly signal: AbortSignal;
  },
): Promise<ReadLines> {
  const block = Buffer.alloc(BLOCK);
  const kept: string[] = [];
  let line = 1;
  let current = Buffer.alloc(0);
  for (let position = 0; kept.length < wanted.count && !wanted.signal.aborted;) {
    const { bytesRead } = await handle.read(block, 0, BLOCK, position);
    if (position === 0 && block.subarray(0, Math.min(bytesRead, 8_192)).includes(0)) return { type: 'binary' };
    position += bytesRead;
    if (bytesRead === 0) {
      if (current.length > 0) kept.push(current.toString('utf8'));
      break;
    }
    for (let at = 0; at < bytesRead && kept.length < wanted.count;) {
      const newline = block.subarray(0, bytesRead).indexOf(NEWLINE, at);
      const end = newline === -1 ? bytesRead : newline;
      const room = line >= wanted.from ? wanted.longest - current.length : 0;
      if (room > 0) current = Buffer.concat([current, block.subarray(at, Math.min(end, at + room))]);
      at = end + 1;
      if (newline === -1) break;
      if (line >= wanted.from) kept.push(current.toString('utf8').replace(/\r$/, ''));
      current = Buffer.alloc(0);
      line += 1;
    }
  }
  return { type: 'lines', kept, seen: line };
}
