import { KeybindingsManager, setKeybindings, TUI_KEYBINDINGS } from '@earendil-works/pi-tui';

/** Home, End and the page keys belong to the prompt and to cards first, so the screen doesn't take them. */
export function chatKeybindings(): void {
  setKeybindings(
    new KeybindingsManager(TUI_KEYBINDINGS, {
      'tui.altScreen.pageUp': [],
      'tui.altScreen.pageDown': [],
      'tui.altScreen.top': ['ctrl+home'],
      'tui.altScreen.bottom': [],
      'tui.input.newLine': ['shift+enter', 'ctrl+j', 'alt+enter'],
    }),
  );
}
