/**
 * Ctrl+Z in full screen: raw mode sends no signal, so the key does. The normal screen comes back before the process
 * stops, and the chat's after it continues.
 */
import type { TuiAltScreen } from '@earendil-works/pi-tui';

interface ScreenSuspension {
  suspend(): void;
  stopListening(): void;
}

export function suspendScreen(tui: TuiAltScreen): ScreenSuspension {
  let isStopped = false;
  const onStop = () => {
    if (isStopped) return;
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
