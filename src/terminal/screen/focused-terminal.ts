/** Tells whether the terminal's window has the focus. The screen library takes these reports, so they are read first. */
import { ProcessTerminal } from '@earendil-works/pi-tui';

export class FocusedTerminal extends ProcessTerminal {
  readonly #told: (isFocused: boolean) => void;

  constructor(told: (isFocused: boolean) => void) {
    super();
    this.#told = told;
  }

  override start(onInput: (data: string) => void, onResize: () => void): void {
    super.start((data) => {
      if (data === '\u001B[I' || data === '\u001B[O') this.#told(data === '\u001B[I');
      onInput(data);
    }, onResize);
  }
}
