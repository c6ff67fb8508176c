/** The key that does the same as a command, for the menu. */
import type { KeyAction, KeyMap } from './key-map.ts';

const actions: Readonly<Record<string, KeyAction>> = {
  model: 'model',
  mode: 'mode',
  inbox: 'requests',
  sessions: 'sessions',
  editor: 'editor',
  paste: 'picture',
  queue: 'queue',
  exit: 'leave',
};
const fixed: Readonly<Record<string, string>> = { rewind: 'Esc Esc', keys: '?', interrupt: 'Esc' };

export function commandKey(command: string, keys: KeyMap): string | undefined {
  const action = actions[command];
  const [key] = action === undefined ? [] : keys[action];
  return key === undefined ? fixed[command] : keyName(key);
}

/** `alt+up` as `Alt+↑`. */
function keyName(key: string): string {
  return key
    .split('+')
    .map((part) => ({ up: '↑', down: '↓' })[part] ?? `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('+');
}
