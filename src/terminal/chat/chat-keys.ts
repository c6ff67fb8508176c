/**
 * Keys that the chat handles before the editor gets them.
 *
 * 1. Esc goes back one step and never answers: it closes, folds or interrupts.
 * 2. Ctrl+C clears, then stops, then leaves.
 * 3. Keys reach a card only while it has the focus. A key that is held answers nothing again.
 */
import {
  Key,
  isKeyRelease,
  isKeyRepeat,
  matchesKey,
  type Editor,
  type TuiAltScreen,
} from '@earendil-works/pi-tui';

import type { CardFocus } from './card-focus.ts';
import type { CardKey } from './card-state.ts';
import type { Chat } from './chat.ts';
import { createInterruptPolicy } from './interrupt-policy.ts';
import type { KeyAction, KeyMap } from './key-map.ts';
import { pastedText } from './pasted-text.ts';
import type { Recall } from './recall.ts';
import { typedKey } from './typed-key.ts';
import { escapeToNormal, insertMode, vimKey, type VimState } from './vim-keys.ts';

/** A state of the screen in which keys choose something above the prompt. */
export interface KeyTaker {
  readonly isActive: boolean;
  begin(): void;
  end(): void;
  /** False if the key ended the state and belongs to the prompt. */
  handle(data: string): boolean;
}

interface ChatKeysParts {
  readonly tui: TuiAltScreen;
  readonly editor: Editor;
  readonly recall: Recall;
  readonly focus: CardFocus;
  /** Undefined until the chat has started. */
  readonly chat: () => Chat | undefined;
  /** The open list, which takes all keys. */
  readonly picker: () => { handle(data: string, isRepeated: boolean): void } | undefined;
  readonly help: { readonly isOpen: boolean; open(): void; close(): void };
  readonly onCard: (key: CardKey) => 'taken' | 'text';
  /** The card that Esc folds and Tab reaches, if one is there. */
  readonly card: () => 'request' | 'failed' | 'trouble' | undefined;
  readonly takers: readonly KeyTaker[];
  readonly keys: () => KeyMap;
  readonly actions: Readonly<Record<Exclude<KeyAction, 'steer'>, () => void>>;
  readonly vim: VimSwitch;
  /** Puts pasted text or a picture into the draft. */
  readonly paste: (text: string) => void;
  /** Opens the pasted text that the cursor is on. False if there is none. */
  readonly openPasted: () => boolean;
  /** Removes the whole mark before the cursor. False if there is none. */
  readonly removeMark: () => boolean;
  /** What Tab fills in before the first prompt. */
  readonly firstTry: string;
  readonly steer: () => void;
  readonly interrupt: () => void;
  readonly rewind: () => void;
  readonly remember: (text: string) => void;
  readonly hint: (text: string) => void;
  readonly leave: () => void;
  readonly onProblem: (error: unknown) => void;
}

/** Vim keys, if the user wants them. */
export interface VimSwitch {
  readonly isOn: boolean;
  state: VimState;
}

type Taken = { readonly consume: true } | undefined;
const consume = { consume: true } as const;
const escape = '\u001B';
const doubleEscape = '\u001B\u001B';

/** A second Esc within this time counts as a pair. Over a draft, as long as the line that asks for it stands there. */
const pairMs = 800;
const clearMs = 2500;

export function createChatKeys(parts: ChatKeysParts): (data: string) => Taken {
  const { tui, editor, recall, focus } = parts;
  const policy = createInterruptPolicy();
  let lastEscape = Number.NEGATIVE_INFINITY;
  let escapedDraft = '';

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
    const since = performance.now() - lastEscape;
    const isSameDraft = escapedDraft === draft;
    lastEscape = performance.now();
    escapedDraft = draft;
    const card = parts.card();
    // Esc stops a turn whose provider fails: that card has nothing to fold.
    const hasCard = card !== undefined && card !== 'trouble' && focus.place !== 'folded';
    if (chat.entry.type !== 'prompt') {
      editor.setText('');
      chat.stopEditing();
    } else if (hasCard) focus.fold();
    else if (chat.isWorking) {
      parts.interrupt();
      // A second Esc right after an interrupt doesn't open the rewind picker.
      lastEscape = Number.NEGATIVE_INFINITY;
    } else if (draft !== '' && isSameDraft && since <= clearMs) {
      parts.remember(draft);
      editor.setText('');
    } else if (draft !== '') parts.hint('Esc again clears the draft');
    else if (since <= pairMs) parts.rewind();
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

  /** Esc leaves insert mode first. In normal mode it means what it means without vim keys. */
  function vim(data: string): Taken {
    if (!parts.vim.isOn) return undefined;
    if (matchesKey(data, Key.escape) && parts.vim.state.mode === 'insert') {
      parts.vim.state = escapeToNormal();
      tui.requestRender();
      return consume;
    }
    const step = vimKey(parts.vim.state, data);
    if (step === undefined) return undefined;
    parts.vim.state = step.state;
    for (const key of step.keys) editor.handleInput(key);
    tui.requestRender();
    return consume;
  }

  function cardKeyOf(data: string): CardKey | undefined {
    if (matchesKey(data, Key.up)) return { type: 'up' };
    if (matchesKey(data, Key.down)) return { type: 'down' };
    if (matchesKey(data, Key.enter)) return { type: 'enter' };
    if (matchesKey(data, Key.pageUp)) return { type: 'page-up' };
    if (matchesKey(data, Key.pageDown)) return { type: 'page-down' };
    if (data === ']') return { type: 'next-file' };
    if (data === '[') return { type: 'previous-file' };
    return /^[a-z0-9]$/i.test(data) ? { type: 'letter', letter: data } : undefined;
  }

  /** While a card has the focus, no key reaches the prompt, except for a letter that begins one. */
  function onCard(data: string, isRepeated: boolean): Taken {
    if (matchesKey(data, Key.tab)) focus.toPrompt();
    else if (data === '?') parts.help.open();
    else if (focus.place === 'card') {
      const key = cardKeyOf(data);
      const isHeld = isRepeated && (key?.type === 'letter' || key?.type === 'enter');
      if (key !== undefined && !isHeld && parts.onCard(key) === 'text') {
        focus.toPrompt();
        return undefined;
      }
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
  function everywhere(data: string, draft: string): Taken {
    const map = parts.keys();
    const action = (Object.keys(map) as KeyAction[]).find((name) =>
      map[name].some((key) => matchesKey(data, key)),
    );
    if (action === undefined || (action === 'leave' && draft !== '')) return undefined;
    if (action === 'steer') parts.steer();
    else parts.actions[action]();
    tui.requestRender();
    return consume;
  }

  return (given) => {
    if (isKeyRelease(given)) return undefined;
    const data = typedKey(given);
    const chat = parts.chat();
    const picker = parts.picker();
    if (tui.hasOverlay()) return undefined;
    if (parts.help.isOpen) {
      parts.help.close();
      tui.requestRender();
      return consume;
    }
    if (picker !== undefined) {
      picker.handle(data, isKeyRepeat(given));
      return consume;
    }
    if (matchesKey(data, Key.ctrl('c'))) return interrupted(chat);
    if (chat === undefined) return undefined;
    const draft = editor.getText();
    const pasted = pastedText(data);
    if (pasted !== undefined) {
      // A paste never sends and never answers a card. It makes a draft, so the keys after it do too.
      focus.pressed();
      if (focus.place === 'card' || focus.place === 'soon') focus.toPrompt();
      if (pasted !== '') parts.paste(pasted);
      tui.requestRender();
      return consume;
    }
    const taker = parts.takers.find(({ isActive }) => isActive);
    // Two quick presses of Esc arrive as one sequence, and still only go back one step.
    if (taker?.handle(data === doubleEscape ? escape : data) === true) {
      tui.requestRender();
      return consume;
    }
    const hasFocus = focus.place === 'card' || focus.place === 'soon';
    focus.pressed();
    const shared = everywhere(data, draft);
    if (shared !== undefined) return shared;
    if (!hasFocus && !editor.isShowingAutocomplete()) {
      const moved = vim(data);
      if (moved !== undefined) return moved;
    }
    // Two quick presses can arrive as one sequence.
    if (data === doubleEscape && !editor.isShowingAutocomplete()) {
      escaped(chat, draft);
      return escaped(chat, editor.getText());
    }
    if (matchesKey(data, Key.escape) && !editor.isShowingAutocomplete()) return escaped(chat, draft);
    if (hasFocus) return onCard(data, isKeyRepeat(given));
    if (matchesKey(data, Key.backspace) && parts.removeMark()) return consume;
    if (matchesKey(data, Key.enter) && parts.openPasted()) return consume;
    const isBareTab = matchesKey(data, Key.tab) && !editor.isShowingAutocomplete();
    if (isBareTab && parts.card() !== undefined && (draft === '' || focus.place === 'folded')) {
      focus.toggle();
      tui.requestRender();
      return consume;
    }
    if (isBareTab && draft === '' && !chat.hasHistory) {
      editor.setText(parts.firstTry);
      tui.requestRender();
      return consume;
    }
    if (data === '?' && draft === '' && chat.entry.type === 'prompt') {
      parts.help.open();
      tui.requestRender();
      return consume;
    }
    const isReadline = !parts.keys().sessions.includes('ctrl+p');
    const isOlder = matchesKey(data, Key.up) || (isReadline && matchesKey(data, Key.ctrl('p')));
    const isNewer = matchesKey(data, Key.down) || (isReadline && matchesKey(data, Key.ctrl('n')));
    if (isOlder) return recalled(chat, 'older', draft);
    if (isNewer) return recalled(chat, 'newer', draft);
    // A sent prompt starts the next one in insert mode.
    if (matchesKey(data, Key.enter)) parts.vim.state = insertMode;
    const moved = scrolled(data);
    if (moved === undefined) recall.stop();
    return moved;
  };
}
