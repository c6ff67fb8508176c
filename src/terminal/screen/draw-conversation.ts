/**
 * Draws the conversation as lines. Unchanged blocks aren't drawn again: a frame only costs what is new in it,
 * however long the conversation is.
 */
import { isBlobRef } from '../../kernel/content.ts';
import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import { repeatedAttempts, repeatedByEnding } from '../../views/provider-trouble.ts';
import { undoneItems } from '../../views/rewind-points.ts';
import type { CallItem, Item, ItemId } from '../../views/transcript-item.ts';
import type { ChatView, Note, Stream } from '../chat/chat-view.ts';
import { mergedLine } from '../lines/call-lines.ts';
import { wrapped } from '../lines/fit.ts';
import { itemLines, reasoningLines } from '../lines/item-lines.ts';
import { innerWidth, proseWidth, type Look, type TurnFacts } from '../lines/look.ts';
import { isolated } from '../../wording/isolates.ts';
import { safeLines } from '../lines/safe-lines.ts';
import { isQuestionCall } from '../../wording/call-words.ts';
import { stoppedTurns } from '../../wording/stopped-turn.ts';
import { blocksOf, type Block } from './call-blocks.ts';
import { visibleAfter } from './smooth-text.ts';
import { createStreamedMarkdown, type StreamedMarkdown } from './streamed-markdown.ts';

interface Drawing {
  readonly lines: readonly string[];
  /** The item to which each line belongs, for mouse clicks. */
  readonly owners: readonly (ItemId | undefined)[];
  /** True if more text has arrived than is shown: draw again soon. */
  readonly isBehind: boolean;
}

interface ConversationDrawer {
  draw(view: ChatView, look: Look, from: number): Drawing;
}

/** Maximum number of drawn items. /history and `rondo show` have the rest. */
const mostItems = 500;
/** Lines of output shown for a call that the user typed. */
const ownCallLines = 40;

export function createConversationDrawer({ pace }: { readonly pace: 'smooth' | 'at-once' }): ConversationDrawer {
  const drawn = new Map<ItemId, Drawn>();
  let streaming: { readonly key: string; shown: number; readonly drawer: StreamedMarkdown } | undefined;
  let grouped: Grouped | undefined;

  function linesOf(block: Block, session: SessionId, view: ChatView, look: Look): readonly string[] {
    const items = block.type === 'item' ? [block.item] : block.items;
    const id = idOf(block);
    const known = drawn.get(id);
    const key = `${look.width} ${items.length} ${look.isOpen(id)} ${look.isOpen(`${id} reasoning`)} ${look.turns?.calls.has(id) ?? false}`;
    const isLive = block.type === 'item' && isMoving(block.item);
    const isSame =
      known !== undefined &&
      known.key === key &&
      known.paint === look.paint &&
      [...known.texts].every(([hash, text]) => view.texts.get(hash) === text) &&
      known.markdown === look.markdown &&
      known.items.every((item, index) => item === items[index]);
    if (isSame && !isLive) return known.lines;
    const texts = new Map<BlobHash, string | undefined>();
    const reading: Look = {
      ...look,
      textOf(body) {
        if (isBlobRef(body)) texts.set(body.blob, view.texts.get(body.blob));
        return look.textOf(body);
      },
    };
    const safe = safeLines(
      block.type === 'item' ? itemLines(block.item, session, reading) : [mergedLine(block.items, reading)],
      look.pictures?.isOwn,
    );
    const lines = block.type === 'item' && isProse(block.item) ? safe : safe.map(isolated);
    // Until its picture can be drawn, a block isn't finished.
    if (look.pictures?.isReading === true) drawn.delete(id);
    else drawn.set(id, { items, key, paint: look.paint, texts, markdown: look.markdown, lines });
    return lines;
  }

  function writingLines(stream: Stream, key: string, look: Look): { lines: readonly string[]; isBehind: boolean } {
    if (streaming?.key !== key) {
      streaming = { key, shown: 0, drawer: createStreamedMarkdown(look.markdown) };
    }
    const { text } = stream;
    streaming.shown =
      pace === 'smooth' ? visibleAfter(Math.min(streaming.shown, text.length), text.length) : text.length;
    const prose = streaming.drawer.lines(
      wholeCharacters(text, streaming.shown),
      Math.min(look.width, proseWidth) - 4,
    );
    const thoughts = reasoningLines(stream.reasoning, key, look);
    const lines = safeLines([
      ...thoughts,
      ...(thoughts.length > 0 && prose.length > 0 ? [''] : []),
      ...prose.map((line) => (line === '' ? '' : `  ${line}`)),
    ]);
    return { lines, isBehind: streaming.shown < text.length };
  }

  /** Grouping depends on the items and on what is open, not on time. */
  function blocksFor(view: ChatView, look: Look, first: number): Grouped {
    const { items } = view.transcript;
    const key = `${first} ${look.openings} ${look.onCard ?? ''}`;
    const isFresh = grouped?.items === items && grouped.key === key;
    if (isFresh && grouped !== undefined) return grouped;
    const shown = itemsBetween(items, first, items.length);
    const undone = undoneItems(shown);
    const hidden = new Set([
      ...undone,
      ...repeatedAttempts(shown),
      ...shown.filter((item) => item.type === 'call' && isQuestionCall(item)).map(({ id }) => id),
      ...ownAnswers(shown),
      ...(look.onCard === undefined ? [] : [look.onCard]),
    ]);
    const repeated = repeatedByEnding(shown);
    const isPlain = hidden.size === 0 && repeated.size === 0;
    const kept = shown.filter(({ id }) => !hidden.has(id)).flatMap((item) => withoutFailure(item, repeated));
    const blocks = blocksOf(isPlain ? shown : kept, look);
    const places = new Map(shown.map(({ id }, index) => [id, first + index]));
    grouped = { items, key, blocks, places, stopped: stoppedTurns(shown), calls: callsOf(shown) };
    return grouped;
  }

  return {
    draw(view, look, from) {
      const { transcript, session, notes } = view;
      const first = Math.max(from, transcript.items.length - mostItems, 0);
      const lines: string[] = [];
      const owners: (ItemId | undefined)[] = [];
      let before: Kind | undefined;
      const add = (part: readonly string[], owner: ItemId | undefined, kind: Kind) => {
        if (part.length === 0) return;
        if (before !== undefined && !(before === 'call' && kind === 'call')) {
          lines.push('');
          owners.push(undefined);
        }
        for (const line of part) {
          lines.push(line);
          owners.push(owner);
        }
        before = kind;
      };
      const places = placesOf(notes);
      let index = first;
      const addNotes = (until: number) => {
        for (; index <= until; index += 1)
          for (const note of places.get(index) ?? []) add(noteLines(note, look), undefined, 'note');
      };
      const { blocks, places: placesOfItems, stopped, calls } = blocksFor(view, look, first);
      const base: Look = { ...look, turns: { stopped, calls, costs: view.costs } };
      let lookNow = base;
      for (const block of blocks) {
        const [item] = block.type === 'item' ? [block.item] : block.items;
        // No model summarizes the output of the user's own call.
        if (item?.type === 'prompt')
          lookNow = item.asked.type === 'task' ? { ...base, closedLines: ownCallLines } : base;
        addNotes(placesOfItems.get(item?.id ?? '') ?? first);
        add(linesOf(block, session, view, lookNow), idOf(block), kindOf(block));
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

/** A question tells its effect, and a task its command, in the words of the call. */
function callsOf(items: readonly Item[]): TurnFacts['calls'] {
  const calls = new Map<ItemId, CallItem>();
  // Call ids are unique only among the newest calls.
  const newest = new Map<string, CallItem>();
  let task: ItemId | undefined;
  for (const item of items) {
    if (item.type === 'prompt') task = item.asked.type === 'task' ? item.id : undefined;
    if (item.type === 'call') {
      newest.set(item.call, item);
      if (task !== undefined) calls.set(task, item);
      task = undefined;
    }
    if (item.type !== 'question' || !('call' in item.about)) continue;
    const asked = item.about.call === undefined ? undefined : newest.get(item.about.call);
    if (asked !== undefined) calls.set(item.id, asked);
  }
  return calls;
}

/** A command that the user typed runs unasked: Rondo answered its request, which says nothing new. */
function ownAnswers(items: readonly Item[]): readonly ItemId[] {
  let isTask = false;
  return items.flatMap((item) => {
    if (item.type === 'prompt') isTask = item.asked.type === 'task';
    const isAllowed =
      item.type === 'question' && item.state.type === 'answered' && item.state.answer.type === 'allow-once';
    return isTask && isAllowed ? [item.id] : [];
  });
}

/** The partial text of a failed message stays. */
function withoutFailure(item: Item, repeated: ReadonlySet<ItemId>): readonly Item[] {
  if (item.type !== 'message' || !repeated.has(item.id)) return [item];
  return item.text === '' && item.reasoning === undefined
    ? []
    : [{ ...item, outcome: { type: 'completed', stop: 'end' } }];
}

interface Grouped {
  readonly items: unknown;
  readonly key: string;
  /** Without what rewinds took back. */
  readonly blocks: readonly Block[];
  readonly stopped: TurnFacts['stopped'];
  readonly calls: TurnFacts['calls'];
  /** The index of each item, for notes between them. */
  readonly places: ReadonlyMap<ItemId, number>;
}

interface Drawn {
  readonly items: readonly Item[];
  readonly key: string;
  readonly paint: Look['paint'];
  /** The stored texts that it shows. */
  readonly texts: ReadonlyMap<BlobHash, string | undefined>;
  readonly markdown: Look['markdown'];
  readonly lines: readonly string[];
}

type Kind = 'call' | 'note' | 'apart';

/** No blank lines between calls, answers and workers. Everything else is separated. */
function kindOf(block: Block): Kind {
  if (block.type === 'merged') return 'call';
  return ['call', 'question', 'worker', 'agent-call'].includes(block.item.type) ? 'call' : 'apart';
}

/** Those of merged calls, joined: opening the line opens all of them. */
function idOf(block: Block): ItemId {
  return block.type === 'item' ? block.item.id : block.items.map(({ id }) => id).join('+');
}

/** Whole paragraphs are left to the terminal. */
function isProse({ type }: Item): boolean {
  return type === 'message' || type === 'agent-message' || type === 'agent-thought';
}

/** Its glyph or its time changes without an event. */
function isMoving(item: Item): boolean {
  if (item.type === 'call') return item.state.type === 'running';
  if (item.type === 'agent-call')
    return item.state !== 'completed' && item.state !== 'failed' && item.state !== 'unknown';
  return item.type === 'agent-plan';
}

function placesOf(notes: readonly Note[]): ReadonlyMap<number, readonly Note[]> {
  const places = new Map<number, Note[]>();
  for (const note of notes) {
    const there = places.get(note.place);
    if (there === undefined) places.set(note.place, [note]);
    else there.push(note);
  }
  return places;
}

function noteLines({ text, tone }: Note, look: Look): readonly string[] {
  const { paint, glyphs } = look;
  const style = tone === 'plain' ? paint.ink2 : (line: string) => line;
  const mark = tone === 'error' ? paint.fail(glyphs.failed) : tone === 'warning' ? paint.warn('!') : ' ';
  return safeLines(wrapped(text, innerWidth(look), `${mark} `, '  ').map(style)).map(isolated);
}

/** Never splits a surrogate pair. */
function wholeCharacters(text: string, count: number): string {
  const code = text.charCodeAt(count - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? count - 1 : count);
}
