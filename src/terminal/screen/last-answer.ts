import { itemsBetween } from '../../views/persistent-list.ts';
import type { ChatView } from '../chat/chat-view.ts';
import { proseLines } from '../lines/item-lines.ts';
import type { Look } from '../lines/look.ts';
import { printable } from '../../views/printable.ts';

/** The agent's last text, for the normal screen after the chat has closed. */
export function lastAnswer({ transcript }: ChatView, look: Look): readonly string[] {
  const { items } = transcript;
  const last = itemsBetween(items, Math.max(0, items.length - 50), items.length).findLast(
    (item) => item.type === 'message' || item.type === 'agent-message',
  );
  if (last === undefined || (last.type !== 'message' && last.type !== 'agent-message')) return [];
  const lines = proseLines(printable(look.textOf(last.text)), look);
  return lines.length === 0 ? [] : [...lines, ''];
}
