/** Restores the terminal on every exit: normal, signal or crash. Only SIGKILL bypasses it. */
import { writeSync } from 'node:fs';

/** Alternate screen off, mouse off, bracketed paste off, wrapping on, keyboard modes off, cursor on, colors off. */
const plainTerminal =
  '\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l\u001B[?2004l\u001B[?7h\u001B[<u\u001B[>4;0m\u001B[?1049l\u001B[?25h\u001B[0m';

export interface TerminalGuard extends Disposable {
  /** Registers a listener for termination signals. Without one, a signal ends the process at once. */
  onSignal(listener: () => void): void;
  /** Call it after the screen has closed normally: nothing is left to restore. */
  released(): void;
}

export function guardTerminal(): TerminalGuard {
  let notify: () => void = () => process.exit(130);
  let isReleased = false;
  const restore = () => {
    if (isReleased) return;
    isReleased = true;
    try {
      process.stdin.setRawMode?.(false);
      writeSync(process.stdout.fd, plainTerminal);
    } catch {
      // The terminal itself is gone.
    }
  };
  const crashed = (error: unknown) => {
    restore();
    process.stderr.write(
      `rondo chat: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(1);
  };
  const onSignal = () => notify();
  process.on('exit', restore);
  process.on('uncaughtException', crashed);
  process.on('unhandledRejection', crashed);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  return {
    onSignal(listener) {
      notify = listener;
    },
    released() {
      isReleased = true;
    },
    [Symbol.dispose]() {
      restore();
      process.off('exit', restore);
      process.off('uncaughtException', crashed);
      process.off('unhandledRejection', crashed);
      process.off('SIGTERM', onSignal);
      process.off('SIGHUP', onSignal);
    },
  };
}
