/** OSC 52 sets the clipboard. tmux takes it with `set-clipboard on`, or passes it on with `allow-passthrough`. */
import type { Environment } from '../../ports/environment.ts';
import { throughTmux } from './through-tmux.ts';

export function clipboardSequence(text: string, env: Environment): string {
  const sequence = `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`;
  return env['TMUX'] === undefined ? sequence : `${sequence}${throughTmux(sequence)}`;
}
