/**
 * Draws the conversation as lines. Unchanged items aren't drawn again: a frame only costs what is new in it,
 * however long the conversation is.
 */
import type { SessionId } from '../../kernel/ids.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import type { Item, ItemId } from '../../views/transcript-item.ts';
import type { ChatView, Note, Stream } from '../chat/chat-view.ts';
import { wrapped } from '../lines/fit.ts';
import { itemLines, reasoningLines } from '../lines/item-lines.ts';
import type { Look } from '../lines/look.ts';
import { shownAfter } from './smooth-text.ts';
import { createStreamedMarkdown, type StreamedMarkdown } from './streamed-markdown.ts';

export interface Drawing {
  readonly lines: readonly string[];
  /** The item to which each line belongs, for mouse clicks. */
  readonly owners: readonly (ItemId | undefined)[];
  /** True if more text has arrived than is shown: draw again soon. */
  readonly isBehind: boolean;
}

export interface ConversationDrawer {
  draw(view: ChatView, look: Look, from: number): Drawing;
}

/** Maximum number of drawn items. /history and `rondo show` have the rest. */
const mostItems = 500;
/** Lines of output shown for a call that the user typed. */
const ownCallLines = 40;

export function createConversationDrawer({ pace }: { readonly pace: 'smooth' | 'at-once' }): ConversationDrawer {
  const drawn = new Map<ItemId, Drawn>();
  let streaming: { readonly key: string; shown: number; readonly drawer: StreamedMarkdown } | undefined;

  function linesOf(item: Item, session: SessionId, view: ChatView, look: Look): readonly string[] {
    const known = drawn.get(item.id);
    const key = `${look.width} ${look.isOpen(item.id)} ${look.isOpen(`${item.id} reasoning`)}`;
    const isLive = item.type === 'call' && item.state.type === 'running';
    const isSame =
      known !== undefined &&
      known.item === item &&
      known.key === key &&
      known.paint === look.paint &&
      known.texts === view.texts &&
      known.markdown === look.markdown;
    if (isSame && !isLive) return known.lines;
    const lines = itemLines(item, session, look);
    drawn.set(item.id, { item, key, paint: look.paint, texts: view.texts, markdown: look.markdown, lines });
    return lines;
  }

  function writingLines(stream: Stream, key: string, look: Look): { lines: readonly string[]; isBehind: boolean } {
    if (streaming?.key !== key) {
      streaming = { key, shown: 0, drawer: createStreamedMarkdown(look.markdown) };
    }
    const { text } = stream;
    streaming.shown =
      pace === 'smooth' ? shownAfter(Math.min(streaming.shown, text.length), text.length) : text.length;
    const lines = [
      ...reasoningLines(stream.reasoning, key, look),
      ...streaming.drawer.lines(wholeCharacters(text, streaming.shown), look.width),
    ];
    return { lines, isBehind: streaming.shown < text.length };
  }

  return {
    draw(view, look, from) {
      const { transcript, session, notes } = view;
      const first = Math.max(from, transcript.items.length - mostItems, 0);
      const lines: string[] = [];
      const owners: (ItemId | undefined)[] = [];
      let before: Item | 'note' | undefined;
      const add = (part: readonly string[], owner: ItemId | undefined, kind: Item | 'note') => {
        if (part.length === 0) return;
        if (before !== undefined && isApart(before, kind)) {
          lines.push('');
          owners.push(undefined);
        }
        for (const line of part) {
          lines.push(line);
          owners.push(owner);
        }
        before = kind;
      };
      const addNotes = (place: number) => {
        for (const note of notes) if (note.place === place) add(noteLines(note, look), undefined, 'note');
      };
      let lookNow = look;
      for (const [index, item] of itemsBetween(transcript.items, first, transcript.items.length).entries()) {
        // No model summarizes the output of the user's own call.
        if (item.type === 'prompt')
          lookNow = item.asked.type === 'task' ? { ...look, closedLines: ownCallLines } : look;
        addNotes(first + index);
        add(linesOf(item, session, view, lookNow), item.id, item);
      }
      addNotes(transcript.items.length);
      const { writing } = transcript;
      const stream = writing === undefined ? undefined : view.streams.get(writing.effect);
      if (writing === undefined || stream === undefined) {
        streaming = undefined;
        return { lines, owners, isBehind: false };
      }
      const written = writingLines(stream, `${writing.effect}/${stream.attempt}`, look);
      if (lines.length > 0 && written.lines.length > 0) lines.push('');
      return { lines: [...lines, ...written.lines], owners, isBehind: written.isBehind };
    },
  };
}

interface Drawn {
  readonly item: Item;
  readonly key: string;
  readonly paint: Look['paint'];
  readonly texts: ChatView['texts'];
  readonly markdown: Look['markdown'];
  readonly lines: readonly string[];
}

/** No blank lines between calls and notices. Everything else is separated. */
function isApart(before: Item | 'note', after: Item | 'note'): boolean {
  const isClose = (item: Item | 'note') =>
    item !== 'note' && ['call', 'question', 'notice', 'worker', 'agent-call', 'ending'].includes(item.type);
  return !(isClose(before) && isClose(after));
}

function noteLines({ text, tone }: Note, { paint, width }: Look): readonly string[] {
  const style = tone === 'error' ? paint.error : tone === 'warning' ? paint.warning : paint.quiet;
  return wrapped(text, width).map(style);
}

/** Never splits a surrogate pair. */
function wholeCharacters(text: string, count: number): string {
  const code = text.charCodeAt(count - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? count - 1 : count);
}
