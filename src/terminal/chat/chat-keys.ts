/**
 * Keys that the chat handles before the editor gets them.
 *
 * 1. Esc goes back one step and never answers: it closes, folds or interrupts.
 * 2. Ctrl+C clears, then stops, then leaves.
 * 3. Keys reach a card only while it has the focus.
 */
import { Key, isKeyRelease, matchesKey, type Editor, type TuiAltScreen } from '@earendil-works/pi-tui';

import type { CardFocus } from './card-focus.ts';
import type { CardKey } from './card-state.ts';
import type { Chat } from './chat.ts';
import { createInterruptPolicy } from './interrupt-policy.ts';
import type { Recall } from './recall.ts';

export interface ChatKeysParts {
  readonly tui: TuiAltScreen;
  readonly editor: Editor;
  readonly recall: Recall;
  readonly focus: CardFocus;
  /** Undefined until the chat has started. */
  readonly chat: () => Chat | undefined;
  /** The open list, which takes all keys. */
  readonly picker: () => { handle(data: string): void } | undefined;
  readonly help: { readonly isOpen: boolean; open(): void; close(): void };
  readonly onCard: (key: CardKey) => void;
  readonly interrupt: () => void;
  readonly toggleBlocks: () => void;
  readonly togglePanel: () => void;
  readonly nextMode: () => void;
  readonly pickSession: () => void;
  readonly pickModel: () => void;
  readonly rewind: () => void;
  readonly nextRequest: () => void;
  readonly edit: () => void;
  readonly suspend: () => void;
  readonly redraw: () => void;
  readonly remember: (text: string) => void;
  readonly hint: (text: string) => void;
  readonly leave: () => void;
  readonly onProblem: (error: unknown) => void;
}

type Taken = { readonly consume: true } | undefined;
const consume = { consume: true } as const;

/** A second Esc within this time counts as a pair. */
const pairMs = 800;

export function createChatKeys(parts: ChatKeysParts): (data: string) => Taken {
  const { tui, editor, recall, focus } = parts;
  const policy = createInterruptPolicy();
  let lastEscape = Number.NEGATIVE_INFINITY;

  function interrupted(chat: Chat | undefined): Taken {
    const draft = editor.getText();
    const isWorking = chat?.isWorking ?? false;
    switch (policy.press({ at: performance.now(), isWorking, hasDraft: draft !== '' })) {
      case 'clear':
        parts.remember(draft);
        editor.setText('');
        chat?.stopEditing();
        break;
      case 'cancel':
        parts.interrupt();
        parts.hint('Press Ctrl+C again to leave');
        break;
      case 'warn':
        parts.hint('Press Ctrl+C again to leave');
        break;
      case 'leave':
        parts.leave();
    }
    tui.requestRender();
    return consume;
  }

  function escaped(chat: Chat, draft: string): Taken {
    const isPair = performance.now() - lastEscape <= pairMs;
    lastEscape = performance.now();
    const hasCard = chat.question !== undefined && focus.place !== 'folded';
    if (chat.entry.type !== 'prompt') {
      editor.setText('');
      chat.stopEditing();
    } else if (hasCard) focus.fold();
    else if (chat.isWorking) {
      parts.interrupt();
      // A second Esc right after an interrupt doesn't open the rewind picker.
      lastEscape = Number.NEGATIVE_INFINITY;
    } else if (draft !== '' && isPair) {
      parts.remember(draft);
      editor.setText('');
    } else if (draft !== '') parts.hint('Esc again clears the draft');
    else if (isPair) parts.rewind();
    tui.requestRender();
    return consume;
  }

  /** Up and Down recall prompts at the first and last line. Elsewhere they move within the draft. */
  function recalled(chat: Chat, direction: 'older' | 'newer', draft: string): Taken {
    const { line } = editor.getCursor();
    const isAtEdge = direction === 'older' ? line === 0 : line === editor.getLines().length - 1;
    if (!isAtEdge || editor.isShowingAutocomplete()) return undefined;
    const canTakeBack = draft === '' && direction === 'older' && chat.entry.type === 'prompt';
    if (canTakeBack && chat.isWorking && (chat.view.status?.queue.prompts.length ?? 0) > 0)
      return editQueued(chat);
    const text = direction === 'older' ? recall.older(draft) : recall.newer();
    if (text === undefined) return undefined;
    editor.setText(text);
    tui.requestRender();
    return consume;
  }

  function editQueued(chat: Chat): Taken {
    chat
      .editQueued()
      .then((queued) => {
        if (queued !== undefined) editor.setText(queued);
      })
      .catch(parts.onProblem);
    return consume;
  }

  function cardKeyOf(data: string): CardKey | undefined {
    if (matchesKey(data, Key.up)) return { type: 'up' };
    if (matchesKey(data, Key.down)) return { type: 'down' };
    if (matchesKey(data, Key.enter)) return { type: 'enter' };
    if (matchesKey(data, Key.pageUp)) return { type: 'page-up' };
    if (matchesKey(data, Key.pageDown)) return { type: 'page-down' };
    if (data.toLowerCase() === 'v') return { type: 'side-by-side' };
    return /^[a-z0-9]$/i.test(data) ? { type: 'letter', letter: data } : undefined;
  }

  /** While a card has the focus, no key reaches the prompt. */
  function onCard(data: string): Taken {
    if (matchesKey(data, Key.tab)) focus.toPrompt();
    else if (data === '?') parts.help.open();
    else if (focus.place === 'card') {
      const key = cardKeyOf(data);
      if (key !== undefined) parts.onCard(key);
    }
    tui.requestRender();
    return consume;
  }

  function scrolled(data: string): Taken {
    const page = Math.max(1, tui.terminal.rows - 14);
    if (matchesKey(data, Key.pageUp)) tui.scrollBy(-page);
    else if (matchesKey(data, Key.pageDown)) tui.scrollBy(page);
    else if (matchesKey(data, Key.ctrl('end')) || (matchesKey(data, Key.end) && editor.getText() === ''))
      tui.scrollToBottom();
    else return undefined;
    return consume;
  }

  /** Keys that mean the same in every state. */
  function everywhere(chat: Chat, data: string, draft: string): Taken {
    const actions: readonly (readonly [boolean, () => void])[] = [
      [matchesKey(data, Key.ctrl('d')) && draft === '', parts.leave],
      [matchesKey(data, Key.ctrl('z')), parts.suspend],
      [matchesKey(data, Key.ctrl('l')), parts.redraw],
      [matchesKey(data, Key.ctrl('o')), parts.toggleBlocks],
      [matchesKey(data, Key.ctrl('t')), parts.togglePanel],
      [matchesKey(data, Key.ctrl('g')), parts.edit],
      [matchesKey(data, Key.shift('tab')), parts.nextMode],
      [matchesKey(data, Key.ctrl('p')) || matchesKey(data, Key.alt('p')), parts.pickSession],
      [matchesKey(data, Key.ctrl('n')) || matchesKey(data, Key.alt('n')), parts.nextRequest],
      [matchesKey(data, Key.alt('m')), parts.pickModel],
      [matchesKey(data, Key.alt('up')), () => void editQueued(chat)],
      [matchesKey(data, Key.ctrl('s')) || matchesKey(data, Key.ctrl('enter')), () => steer(chat)],
    ];
    const found = actions.find(([isPressed]) => isPressed);
    if (found === undefined) return undefined;
    found[1]();
    tui.requestRender();
    return consume;
  }

  function steer(chat: Chat): void {
    const words = editor.getExpandedText();
    editor.setText('');
    parts.remember(words);
    void chat.steer(words);
  }

  return (data) => {
    if (isKeyRelease(data)) return undefined;
    const chat = parts.chat();
    const picker = parts.picker();
    if (tui.hasOverlay()) return undefined;
    if (parts.help.isOpen) {
      parts.help.close();
      tui.requestRender();
      return consume;
    }
    if (picker !== undefined) {
      picker.handle(data);
      return consume;
    }
    if (matchesKey(data, Key.ctrl('c'))) return interrupted(chat);
    if (chat === undefined) return undefined;
    const draft = editor.getText();
    const hasFocus = focus.place === 'card' || focus.place === 'soon';
    focus.pressed();
    const shared = everywhere(chat, data, draft);
    if (shared !== undefined) return shared;
    // Two quick presses can arrive as one sequence.
    if (data === '\u001B\u001B' && !editor.isShowingAutocomplete()) {
      escaped(chat, draft);
      return escaped(chat, editor.getText());
    }
    if (matchesKey(data, Key.escape) && !editor.isShowingAutocomplete()) return escaped(chat, draft);
    // A paste never answers a card.
    if (hasFocus && !data.startsWith('\u001B[200~')) return onCard(data);
    const isBareTab = matchesKey(data, Key.tab) && !editor.isShowingAutocomplete();
    if (isBareTab && chat.question !== undefined && (draft === '' || focus.place === 'folded')) {
      focus.toggle();
      tui.requestRender();
      return consume;
    }
    if (data === '?' && draft === '' && chat.entry.type === 'prompt') {
      parts.help.open();
      tui.requestRender();
      return consume;
    }
    if (matchesKey(data, Key.up)) return recalled(chat, 'older', draft);
    if (matchesKey(data, Key.down)) return recalled(chat, 'newer', draft);
    const moved = scrolled(data);
    if (moved === undefined) recall.stop();
    return moved;
  };
}
