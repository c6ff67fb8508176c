/**
 * Ctrl+Z in full screen: raw mode sends no signal, so the key does. The normal screen comes back before the process
 * stops, and the chat's after it continues.
 */
import type { TuiAltScreen } from '@earendil-works/pi-tui';

import { isInEditor } from './external-editor.ts';

interface ScreenSuspension {
  suspend(): void;
  stopListening(): void;
}

export function suspendScreen(tui: TuiAltScreen): ScreenSuspension {
  let isStopped = false;
  const onStop = () => {
    // An editor that stops gets the terminal back itself.
    if (isStopped || isInEditor(tui)) return;
    isStopped = true;
    tui.stop({ preserveScreen: true });
  };
  const onContinue = () => {
    if (!isStopped) return;
    isStopped = false;
    tui.start();
    tui.renderNow(true);
  };
  process.on('SIGTSTP', onStop);
  process.on('SIGCONT', onContinue);
  return {
    suspend: () => void process.kill(process.pid, 'SIGTSTP'),
    stopListening() {
      process.off('SIGTSTP', onStop);
      process.off('SIGCONT', onContinue);
    },
  };
}
