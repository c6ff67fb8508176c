/** Which keys do what. The user can change all of them but Esc and Ctrl+C. */
import type { KeyId } from '@earendil-works/pi-tui';

import { nearestName } from '../../kernel/nearest-name.ts';

/** Actions with the same meaning in every state, and their usual keys. */
const usualKeys = {
  leave: ['ctrl+d'],
  suspend: ['ctrl+z'],
  redraw: ['ctrl+l'],
  blocks: ['ctrl+o'],
  panel: ['ctrl+t'],
  editor: ['ctrl+g'],
  mode: ['shift+tab'],
  sessions: ['ctrl+p', 'alt+p'],
  requests: ['ctrl+n', 'alt+n'],
  model: ['alt+m'],
  queue: ['alt+up'],
  steer: ['ctrl+s', 'ctrl+enter'],
  history: ['ctrl+r'],
  picture: ['ctrl+v'],
} as const satisfies Record<string, readonly KeyId[]>;

export type KeyAction = keyof typeof usualKeys;
export type KeyMap = Readonly<Record<KeyAction, readonly KeyId[]>>;

export const defaultKeys: KeyMap = usualKeys;

export interface KeySettings {
  /** `readline`: Ctrl+P and Ctrl+N recall prompts. */
  readonly keymap?: 'chat' | 'readline';
  readonly keys?: Readonly<Record<string, string | readonly string[]>>;
}

const reserved: ReadonlySet<string> = new Set(['escape', 'esc', 'ctrl+c', 'enter', 'tab', 'up', 'down']);
const keyShape = /^((ctrl|alt|shift|super)\+)*([a-z0-9]|[a-z]+\d*|[^\s\w+])$/;

/** The keys with the user's changes, and what is wrong with those. A wrong entry keeps the usual keys. */
export function keyMapFrom({ keymap = 'chat', keys = {} }: KeySettings): {
  readonly map: KeyMap;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const map: Record<KeyAction, readonly KeyId[]> = { ...defaultKeys };
  if (keymap === 'readline') {
    map.sessions = ['alt+p'];
    map.requests = ['alt+n'];
  }
  for (const [action, wanted] of Object.entries(keys)) {
    const names = (typeof wanted === 'string' ? [wanted] : wanted).map((key) => key.toLowerCase());
    const bad = names.find((key) => reserved.has(key) || !keyShape.test(key));
    if (!isAction(action)) {
      const near = nearestName(action, Object.keys(usualKeys));
      problems.push(`Unknown action "${action}".${near === undefined ? '' : ` Did you mean "${near}"?`}`);
    } else if (bad !== undefined) {
      problems.push(
        reserved.has(bad) ? `${action}: ${bad} can't be changed.` : `${action}: "${bad}" isn't a key.`,
      );
    } else map[action] = names as KeyId[];
  }
  for (const [index, [action, own]] of Object.entries(map).entries())
    for (const [other, others] of Object.entries(map).slice(index + 1)) {
      const shared = own.find((key) => others.includes(key));
      if (shared !== undefined) problems.push(`${shared} is set for ${action} and ${other}; it does the first.`);
    }
  return { map, problems };
}

function isAction(name: string): name is KeyAction {
  return Object.hasOwn(usualKeys, name);
}
