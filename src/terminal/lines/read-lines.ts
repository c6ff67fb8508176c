import { createInterface } from 'node:readline';

export interface ReadLine {
  readonly text: string;
  /** When it was typed. */
  readonly at: number;
  /** Its beginning was there when `lookAtBegun` was called last. */
  readonly isBegunBefore?: true;
}

/** A terminal has both. */
export interface LineInput extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
}

interface Lines extends AsyncIterable<ReadLine> {
  /**
   * Marks the line that somebody is typing now. A terminal keeps it until it ends, so for a moment the terminal hands
   * over every key.
   */
  lookAtBegun(): void;
  close(): void;
}

/** Long enough for the terminal to hand over what it has. */
const lookMs = 30;

/** Buffers lines from the moment of the call, however late they are read. */
export function readLines(input: LineInput): Lines {
  const lines = createInterface({ input });
  const waiting: ReadLine[] = [];
  let isOver = false;
  let isBegun = false;
  let looking: NodeJS.Timeout | undefined;
  let wake: (() => void) | undefined;
  lines.on('line', (line) => {
    waiting.push({ text: line, at: performance.now(), ...(isBegun && { isBegunBefore: true }) });
    isBegun = false;
    wake?.();
  });
  lines.on('close', () => {
    isOver = true;
    endLook();
    wake?.();
  });
  const note = (data: Buffer | string) => {
    const text = data.toString();
    if (text.includes('\u0003')) process.kill(process.pid, 'SIGINT');
    isBegun = !/[\r\n]$/.test(text);
  };
  function endLook(): void {
    if (looking === undefined) return;
    clearTimeout(looking);
    looking = undefined;
    input.off('data', note);
    input.setRawMode?.(false);
  }
  return {
    lookAtBegun() {
      if (isOver || looking !== undefined || input.isTTY !== true || input.setRawMode === undefined) return;
      input.on('data', note);
      input.setRawMode(true);
      looking = setTimeout(endLook, lookMs);
    },
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
