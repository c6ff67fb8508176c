import { createInterface } from 'node:readline';

export interface ReadLine {
  readonly text: string;
  /** When it was typed. */
  readonly at: number;
}

interface Lines extends AsyncIterable<ReadLine> {
  close(): void;
}

/** Buffers lines from the moment of the call, however late they are read. */
export function readLines(input: NodeJS.ReadableStream): Lines {
  const lines = createInterface({ input });
  const waiting: ReadLine[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;
  lines.on('line', (line) => {
    waiting.push({ text: line, at: performance.now() });
    wake?.();
  });
  lines.on('close', () => {
    isOver = true;
    wake?.();
  });
  return {
    close: () => lines.close(),
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
