/** Splits bytes into lines. A line over the limit is skipped and only its beginning reported. */
interface LineReader {
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
    // Keep only the beginning of an overlong line.
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
      // Copied, because a slice would retain the whole chunk.
      if (from < chunk.length) take(Buffer.from(chunk.subarray(from)));
    },
  };
}

const newline = 0x0a;
const keptOfOverlong = 1000;
