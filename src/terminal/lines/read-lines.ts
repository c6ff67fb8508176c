import { createInterface } from 'node:readline';

interface Lines extends AsyncIterable<string> {
  close(): void;
}

/** Buffers lines from the moment of the call, however late they are read. */
export function readLines(input: NodeJS.ReadableStream): Lines {
  const lines = createInterface({ input });
  const waiting: string[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;
  lines.on('line', (line) => {
    waiting.push(line);
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
