/** Keys that the chat handles before the editor gets them. */
import { Key, matchesKey, type Editor, type TuiAltScreen } from '@earendil-works/pi-tui';

import type { Chat } from './chat.ts';
import type { HistoryFile } from './history-file.ts';
import { createInterruptPolicy } from './interrupt-policy.ts';
import { keyMeaning } from './question-keys.ts';
import type { QuestionFocus } from './question-focus.ts';

export interface ChatKeysParts {
  readonly tui: TuiAltScreen;
  readonly editor: Editor;
  readonly history: HistoryFile;
  readonly focus: QuestionFocus;
  /** Undefined until the chat has started. */
  readonly chat: () => Chat | undefined;
  readonly isWorking: () => boolean;
  readonly interrupt: () => void;
  readonly toggleBlocks: () => void;
  readonly toggleThoughts: () => void;
  readonly remember: (text: string) => void;
  readonly leave: () => void;
  readonly onProblem: (error: unknown) => void;
}

type Taken = { readonly consume: true } | undefined;

export function createChatKeys(parts: ChatKeysParts): (data: string) => Taken {
  const { tui, editor, history, focus, remember, leave } = parts;
  const policy = createInterruptPolicy();
  const consume = { consume: true } as const;

  function escaped(chat: Chat, text: string): Taken {
    if (chat.entry.type !== 'prompt') {
      editor.setText('');
      chat.stopEditing();
      return consume;
    }
    const { question } = chat;
    if (question === undefined) return undefined;
    if (text !== '') {
      remember(text);
      editor.setText('');
      focus.takeUp(question.id);
    } else focus.toggleAside(question.id);
    tui.requestRender();
    return consume;
  }

  function questionKey(chat: Chat, data: string): Taken {
    const { question } = chat;
    if (question === undefined || !focus.isAnswering()) return undefined;
    focus.saw();
    const meaning = keyMeaning(question.about, data);
    if (meaning.type === 'nothing') return undefined;
    if (focus.keys() === 'soon') return consume;
    if (meaning.type === 'give-reason') chat.giveReason();
    else void chat.answer(meaning.answer);
    return consume;
  }

  function interrupted(): Taken {
    if (tui.hasOverlay()) return undefined;
    if (policy.press({ at: performance.now(), isWorking: parts.isWorking() }) === 'leave') {
      // The Up key brings back text that was typed but not sent.
      history.add(editor.getText()).catch(() => undefined);
      leave();
    } else parts.interrupt();
    return consume;
  }

  return (data) => {
    if (matchesKey(data, Key.ctrl('c'))) return interrupted();
    const chat = parts.chat();
    if (tui.hasOverlay() || chat === undefined) return undefined;
    const text = editor.getText();
    if (matchesKey(data, Key.ctrl('d')) && text === '') {
      leave();
      return consume;
    }
    if (matchesKey(data, Key.ctrl('o'))) {
      parts.toggleBlocks();
      return consume;
    }
    if (matchesKey(data, Key.ctrl('t'))) {
      parts.toggleThoughts();
      return consume;
    }
    if (matchesKey(data, Key.ctrl('s'))) {
      const words = editor.getExpandedText();
      editor.setText('');
      remember(words);
      void chat.steer(words);
      return consume;
    }
    if (matchesKey(data, Key.alt('up'))) {
      chat
        .editQueued()
        .then((queued) => {
          if (queued !== undefined) editor.setText(queued);
        })
        .catch(parts.onProblem);
      return consume;
    }
    if (matchesKey(data, Key.escape) && !editor.isShowingAutocomplete()) return escaped(chat, text);
    return questionKey(chat, data);
  };
}
