/** Tells whether the terminal's window has the focus. The screen library takes these reports, so they are read first. */
import { ProcessTerminal } from '@earendil-works/pi-tui';

export class FocusedTerminal extends ProcessTerminal {
  readonly #notify: (isFocused: boolean) => void;

  constructor(notify: (isFocused: boolean) => void) {
    super();
    this.#notify = notify;
  }

  override start(onInput: (data: string) => void, onResize: () => void): void {
    super.start((data) => {
      if (data === '\u001B[I' || data === '\u001B[O') this.#notify(data === '\u001B[I');
      onInput(data);
    }, onResize);
  }

  /**
   * The first frame enables raw mode before the library records the earlier mode, so the library would leave it on.
   * After a stop, the shell disables it, and Node wouldn't enable it again: it considers it enabled.
   */
  override stop(): void {
    super.stop();
    process.stdin.setRawMode?.(false);
  }
}
