/** Alt+↑: choose a prompt of the queue, then edit, remove, steer or move it. Typing goes back to the prompt. */
import { Key, matchesKey } from '@earendil-works/pi-tui';

import type { Chat } from '../chat/chat.ts';
import type { KeyTaker } from '../chat/chat-keys.ts';
import { queueKey, shownOrder, type QueueKey } from '../chat/queue-selection.ts';
import type { KeyState } from './key-hints.ts';

interface QueueSelector extends KeyTaker {
  readonly hints: KeyState;
  readonly selected: number | undefined;
}

interface QueueSelectorParts {
  readonly chat: () => Chat | undefined;
  readonly setDraft: (text: string) => void;
  readonly onProblem: (error: unknown) => void;
}

export function createQueueSelector({ chat, setDraft, onProblem }: QueueSelectorParts): QueueSelector {
  let selected: number | undefined;
  const prompts = () => chat()?.view.status?.queue.prompts ?? [];
  const now = () => (prompts().some(({ prompt }) => prompt === selected) ? selected : undefined);

  function act(key: QueueKey): void {
    const current = chat();
    if (current === undefined || selected === undefined) return;
    const { selected: next, act: wanted } = queueKey(prompts(), selected, key);
    selected = next;
    switch (wanted?.type) {
      case 'change':
        current.send({ type: 'queue', change: wanted.change }).catch(onProblem);
        return;
      case 'steer':
        current.steerQueued(wanted.prompt).catch(onProblem);
        return;
      case 'edit':
        current
          .editQueued(wanted.prompt)
          .then((text) => text !== undefined && setDraft(text))
          .catch(onProblem);
        return;
      case undefined:
        return;
    }
  }
  return {
    get selected() {
      return now();
    },
    get isActive() {
      return now() !== undefined;
    },
    hints: 'queue-selection',
    begin() {
      selected = shownOrder(prompts()).at(-1)?.prompt;
    },
    end() {
      selected = undefined;
    },
    handle(data) {
      if (now() === undefined) return false;
      const key = keyOf(data);
      if (key !== undefined) act(key);
      else selected = undefined;
      return key !== undefined || matchesKey(data, Key.escape);
    },
  };
}

function keyOf(data: string): QueueKey | undefined {
  if (matchesKey(data, Key.up) || matchesKey(data, Key.alt('up'))) return 'up';
  if (matchesKey(data, Key.down) || matchesKey(data, Key.alt('down'))) return 'down';
  if (matchesKey(data, Key.enter)) return 'edit';
  if (matchesKey(data, Key.delete) || matchesKey(data, Key.backspace)) return 'remove';
  if (data.toLowerCase() === 's' || matchesKey(data, Key.ctrl('s'))) return 'steer';
  if (data === '[') return 'earlier';
  return data === ']' ? 'later' : undefined;
}
