import { cutToColumns } from '../../wording/columns.ts';
import { durationText } from '../../wording/duration.ts';
import type { Terminal } from '../../wording/terminal-style.ts';

/** One line that shows what the run waits for and for how long. Never shown in a pipe. */
interface StatusLine {
  show(words: string): void;
  clear(): void;
}

const quietMs = 1000;

/** Shows nothing for waits shorter than a second. */
export function createStatusLine(
  write: (text: string) => void,
  { isTerminal, width, paint }: Terminal,
): StatusLine {
  if (!isTerminal || process.env['TERM'] === 'dumb') return { show: () => undefined, clear: () => undefined };
  let timer: NodeJS.Timeout | undefined;
  let isDrawn = false;
  const clear = () => {
    clearInterval(timer);
    timer = undefined;
    if (isDrawn) write('\r\u001B[2K');
    isDrawn = false;
  };
  return {
    show(words) {
      clear();
      const since = performance.now();
      timer = setInterval(() => {
        const line = `${words} · ${durationText(performance.now() - since)}`;
        write(`\r\u001B[2K${paint.quiet(cutToColumns(line, width - 1))}`);
        isDrawn = true;
      }, quietMs);
      timer.unref();
    },
    clear,
  };
}
