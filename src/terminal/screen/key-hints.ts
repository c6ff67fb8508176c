/** The keys for the current state, at most six. A narrow screen shows fewer and shorter ones. */
import { visibleWidth } from '@earendil-works/pi-tui';

import { optional } from '../../kernel/optional.ts';
import type { Look } from '../lines/look.ts';

export type KeyState =
  | 'idle'
  | 'typing'
  | 'turn'
  | 'request'
  | 'danger'
  | 'edit-request'
  | 'question'
  | 'waiting-request'
  | 'queue'
  | 'menu'
  | 'mention'
  | 'picker'
  | 'sessions'
  | 'archived'
  | 'asking'
  | 'writing'
  | 'rewind'
  | 'changes'
  | 'blocks'
  | 'block'
  | 'viewer'
  | 'history'
  | 'inbox'
  | 'trouble'
  | 'failed'
  | 'queue-selection'
  | 'help'
  | 'lost';

interface Hint {
  readonly key: string;
  readonly does: string;
  readonly short?: string;
  /** Only on a wide screen. */
  readonly isExtra?: true;
}

const hint = (key: string, does: string, short?: string): Hint => ({
  key,
  does,
  ...optional({ short }),
});
const extra = (key: string, does: string): Hint => ({ key, does, isExtra: true });
const allKeys = hint('?', 'all keys', 'keys');
const chooses = hint('↑↓', 'choose');
const decideLater = hint('Esc', 'decide later', 'later');
const typeInstead = extra('Tab', 'type');

const hints: Readonly<Record<KeyState, readonly Hint[]>> = {
  idle: [
    hint('Enter', 'send'),
    hint('Shift+Tab', 'mode'),
    hint('/', 'commands'),
    extra('@', 'files'),
    extra('!', 'shell'),
    allKeys,
  ],
  typing: [],
  turn: [
    hint('Enter', 'queue'),
    hint('Ctrl+S', 'steer now', 'steer'),
    hint('Esc', 'interrupt'),
    extra('Ctrl+O', 'open blocks'),
    extra('?', 'all keys'),
  ],
  danger: [
    chooses,
    extra('E', 'edit first'),
    extra('Ctrl+O', 'full command'),
    hint('Tab', 'type'),
    decideLater,
    allKeys,
  ],
  request: [
    chooses,
    hint('Enter', 'confirm'),
    extra('E', 'edit first'),
    extra('Ctrl+O', 'full command'),
    typeInstead,
    decideLater,
    allKeys,
  ],
  'edit-request': [
    chooses,
    hint('Enter', 'confirm'),
    extra('E', 'edit first'),
    extra('V', 'side by side'),
    typeInstead,
    decideLater,
    allKeys,
  ],
  question: [chooses, hint('Enter', 'answer'), extra('1–9', 'answer'), typeInstead, decideLater, allKeys],
  'waiting-request': [
    hint('Tab', 'answer'),
    hint('Enter', 'queue'),
    hint('Esc', 'interrupt'),
    extra('?', 'all keys'),
  ],
  queue: [
    hint('Enter', 'save'),
    hint('Alt+↑', 'older'),
    hint('Ctrl+S', 'steer now'),
    hint('Esc', 'back to the prompt', 'back'),
  ],
  menu: [hint('type', 'filter'), chooses, hint('Tab', 'complete'), hint('Enter', 'run'), hint('Esc', 'close')],
  mention: [
    hint('type', 'filter'),
    chooses,
    hint('Tab', 'complete'),
    hint('Enter', 'insert'),
    hint('Esc', 'close'),
  ],
  picker: [hint('type', 'search'), chooses, hint('Enter', 'use'), hint('Esc', 'close')],
  sessions: [
    hint('type', 'search'),
    hint('Enter', 'open'),
    extra('Ctrl+F', 'fork'),
    hint('Ctrl+R', 'rename'),
    hint('Ctrl+X', 'archive'),
    hint('Esc', 'close'),
  ],
  archived: [
    hint('type', 'search'),
    hint('Enter', 'open'),
    hint('Ctrl+X', 'take out of the archive', 'restore'),
    hint('Esc', 'close'),
  ],
  asking: [hint('Enter', 'save'), hint('Esc', 'back')],
  writing: [hint('Enter', 'send'), hint('Esc', 'back')],
  rewind: [
    hint('↑↓', 'message'),
    hint('Enter', 'rewind chat and files', 'rewind'),
    hint('1–4', 'choose'),
    hint('D', 'show diff', 'diff'),
    hint('Esc', 'close'),
  ],
  changes: [
    hint('[ ]', 'file'),
    hint('PgUp PgDn', 'scroll'),
    hint('V', 'side by side', 'split'),
    hint('Esc', 'close'),
  ],
  blocks: [
    hint('↑↓', 'block'),
    hint('Enter', 'open'),
    hint('C', 'copy'),
    hint('Ctrl+O', 'open all', 'all'),
    hint('Esc', 'back'),
  ],
  block: [hint('↑↓', 'scroll'), hint('PgUp PgDn', 'page'), hint('C', 'copy'), hint('Esc', 'close')],
  viewer: [hint('↑↓', 'scroll'), hint('PgUp PgDn', 'page'), hint('Esc', 'close')],
  history: [hint('type', 'search'), chooses, hint('Enter', 'edit'), hint('Esc', 'close')],
  'queue-selection': [
    chooses,
    hint('Enter', 'edit'),
    hint('Del', 'remove'),
    hint('S', 'steer now', 'steer'),
    hint('[ ]', 'move'),
    hint('Esc', 'back to the prompt', 'back'),
  ],
  inbox: [
    hint('J K', 'move'),
    hint('Y', 'allow'),
    hint('N', 'deny'),
    extra('X', 'select'),
    hint('O', 'open session', 'open'),
    hint('Z', 'snooze'),
    hint('Esc', 'close'),
  ],
  trouble: [
    hint('Enter', 'retry now', 'retry'),
    hint('M', 'switch model', 'model'),
    hint('Esc', 'stop'),
    typeInstead,
    extra('?', 'all keys'),
  ],
  failed: [chooses, hint('Enter', 'confirm'), typeInstead, hint('Esc', 'close'), allKeys],
  help: [hint('any key', 'close')],
  lost: [
    hint('Enter', 'save for reconnect'),
    extra('Ctrl+P', 'sessions'),
    hint('Ctrl+C', 'leave, keeps the draft', 'leave'),
    extra('?', 'all keys'),
  ],
};

const wideFrom = 100;

export function keyHints(state: KeyState, { paint, width }: Pick<Look, 'paint' | 'width'>): string {
  const isWide = width >= wideFrom;
  const gap = isWide ? '   ' : '  ';
  let line = ' ';
  for (const { key, does, short, isExtra } of hints[state]) {
    if (isExtra === true && !isWide) continue;
    const words = `${paint.ink2(key)} ${paint.ink3(isWide ? does : (short ?? does))}`;
    const longer = `${line}${line === ' ' ? ' ' : gap}${words}`;
    if (visibleWidth(longer) > width - 2) break;
    line = longer;
  }
  return line.trimEnd();
}
