/** The content of a stream: all of it, or its beginning and end if it exceeded the limit. */
export interface CapturedOutput {
  readonly text: string;
  /** Bytes received, kept or not. */
  readonly bytes: number;
  readonly truncated: boolean;
}

interface OutputCapture {
  push(chunk: Buffer): void;
  end(): CapturedOutput;
}

/** Keeps about `limit` bytes of a stream: half from its beginning, half from its end. */
export function createOutputCapture(limit: number): OutputCapture {
  const half = Math.max(1, Math.floor(limit / 2));
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let bytes = 0;
  return {
    push: (chunk) => {
      bytes += chunk.length;
      const first = chunk.subarray(0, half - headBytes);
      if (first.length > 0) head.push(first);
      headBytes += first.length;
      const rest = chunk.subarray(first.length);
      if (rest.length === 0) return;
      tail.push(rest);
      tailBytes += rest.length;
      // Joins chunks in batches, so that a stream of single bytes costs no more than one of blocks.
      if (tailBytes > half * 2) {
        tail = [Buffer.from(Buffer.concat(tail).subarray(-half))];
        tailBytes = half;
      }
    },
    end: () => {
      const last = Buffer.concat(tail).subarray(-half);
      const truncated = bytes > headBytes + last.length;
      if (!truncated) return { text: Buffer.concat([...head, last]).toString('utf8'), bytes, truncated };
      const dropped = bytes - headBytes - last.length;
      const text = `${Buffer.concat(head).toString('utf8')}${omission(dropped, 'bytes')}${last.toString('utf8')}`;
      return { text, bytes, truncated };
    },
  };
}

/** Omits the middle of a text that exceeds `limit` characters. Used to show output that is stored in full elsewhere. */
export function capText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.max(0, Math.floor((limit - MARK_ROOM) / 2));
  const opening = text.slice(0, half);
  const ending = half === 0 ? '' : text.slice(-half);
  return `${opening}${omission(text.length - half * 2, 'characters')}${ending}`;
}

const MARK_ROOM = 80;

function omission(count: number, unit: 'bytes' | 'characters'): string {
  return `\n\n[… ${count} ${unit} left out …]\n\n`;
}
