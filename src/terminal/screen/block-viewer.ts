/** One block of the conversation in full: a call with its whole output, or a message. */
import { itemsBetween } from '../../views/persistent-list.ts';
import { terminalOutput } from '../../views/terminal-output.ts';
import type { ItemId } from '../../views/transcript-item.ts';
import type { Chat } from '../chat/chat.ts';
import { openLines } from '../lines/call-lines.ts';
import { itemLines } from '../lines/item-lines.ts';
import { withoutStyles } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import type { ViewedText } from './text-viewer.ts';

interface BlockViewer {
  /** Undefined if the block fits in its place. */
  long(block: ItemId): Pick<ViewedText, 'title' | 'lines'> | undefined;
  /** The source text, without gutter, colors and wraps where it is known. */
  text(block: ItemId): string;
}

interface BlockViewerParts {
  readonly chat: () => Chat | undefined;
  readonly look: () => Look;
}

export function createBlockViewer({ chat, look }: BlockViewerParts): BlockViewer {
  const itemsOf = (block: ItemId) => {
    const view = chat()?.view;
    if (view === undefined) return [];
    const ids = new Set(block.split('+'));
    return itemsBetween(view.transcript.items, 0, view.transcript.items.length).filter(({ id }) => ids.has(id));
  };
  function linesOf(block: ItemId, drawn: Look): readonly string[] {
    const session = chat()?.view.session;
    if (session === undefined) return [];
    const whole: Look = { ...drawn, isOpen: () => true, openLines: Number.MAX_SAFE_INTEGER };
    return itemsOf(block).flatMap((item) => itemLines(item, session, whole));
  }
  return {
    long(block) {
      const [head = '', ...rest] = linesOf(block, look());
      const isMessage = itemsOf(block).some(({ type }) => type === 'message' || type === 'agent-message');
      if (isMessage || rest.length <= openLines) return undefined;
      return { title: plain(head), lines: (drawn) => linesOf(block, drawn).slice(1) };
    },
    text(block) {
      const { textOf } = look();
      return itemsOf(block)
        .map((item) => {
          switch (item.type) {
            case 'message':
            case 'agent-message':
              return textOf(item.text);
            case 'prompt':
              return item.asked.type === 'chat' ? textOf(item.asked.text) : '';
            case 'call':
              return item.state.type === 'succeeded'
                ? terminalOutput(textOf(item.state.output))
                : plain(linesOf(block, look()).join('\n'));
            default:
              return plain(linesOf(block, look()).join('\n'));
          }
        })
        .join('\n');
    },
  };
}

const plain = (text: string) => withoutStyles(text).trim();
