/** Bytes cut into lines. A line longer than may be held is passed over, and its beginning told. */
export interface LineReader {
  push(chunk: Buffer): void;
}

export function createLineReader(
  limit: number,
  on: { readonly line: (text: string) => void; readonly overlong: (bytes: number, beginning: string) => void },
): LineReader {
  let held: Buffer[] = [];
  let size = 0;

  function take(piece: Buffer): void {
    size += piece.length;
    // Of an overlong line only the beginning is kept, however long it gets.
    if (size <= limit) held.push(piece);
    else if (size - piece.length <= limit) {
      const start = Buffer.concat([...held, piece.subarray(0, keptOfOverlong)]);
      held = [Buffer.from(start.subarray(0, keptOfOverlong))];
    }
  }
  function end(): void {
    const bytes = size;
    const content = held.length === 1 && held[0] !== undefined ? held[0] : Buffer.concat(held);
    held = [];
    size = 0;
    if (bytes > limit) return on.overlong(bytes, content.toString('utf8'));
    const text = content.toString('utf8').trim();
    if (text !== '') on.line(text);
  }

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
        take(chunk.subarray(from, at));
        end();
        from = at + 1;
      }
      // Copied: what is left over would hold on to the whole chunk.
      if (from < chunk.length) take(Buffer.from(chunk.subarray(from)));
    },
  };
}

const newline = 0x0a;
const keptOfOverlong = 1000;
