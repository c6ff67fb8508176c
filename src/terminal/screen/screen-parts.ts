/**
 * The full screen, drawn from the chat's view: conversation, panel, card, working line, queue, title rule, prompt,
 * rule, footer, keys. Everything below the conversation is drawn once per frame.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  getCapabilities,
  hyperlink,
  ScrollView,
  VStack,
  type Component,
  type TuiAltScreen,
} from '@earendil-works/pi-tui';

import { isBlobRef, previewOf } from '../../kernel/content.ts';
import type { ItemId } from '../../views/transcript-item.ts';
import type { Environment } from '../../ports/environment.ts';
import type { Chat } from '../chat/chat.ts';
import type { OpenedBlocks } from '../chat/opened-blocks.ts';
import type { Glyphs } from '../glyphs.ts';
import { isolated } from '../../wording/isolates.ts';
import { asciiLines } from '../lines/ascii-lines.ts';
import { padded } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import { createPaint, type PaintOptions, type Paint } from '../theme.ts';
import { createConversationDrawer } from './draw-conversation.ts';
import { createMarkdown } from './markdown.ts';
import { createPictures } from '../lines/pictures.ts';
import type { PromptEditor } from './prompt-editor.ts';

interface ScreenParts {
  /** The layout of all parts. */
  readonly root: Component;
  readonly scrolled: ScrollView;
  /** The paint in the colors of the chat's agent. */
  paint(): Paint;
  look(width: number): Look;
  /** The item to which each line of the conversation belongs. */
  owners(): readonly (ItemId | undefined)[];
  /** The lines of the conversation. */
  conversation(): readonly string[];
  /** Scrolls so that these lines of the conversation are visible. */
  reveal(first: number, last: number): void;
}

/** The lines below the conversation. */
export interface LowerLines {
  readonly above: readonly string[];
  readonly prompt: readonly string[];
  readonly below: readonly string[];
}

interface ScreenPartsOptions {
  readonly tui: TuiAltScreen;
  /** Draws the next frame of a stream. */
  readonly drawSoon: () => void;
  readonly editor: PromptEditor;
  readonly env: Environment;
  readonly colors: () => PaintOptions;
  readonly glyphs: Glyphs;
  readonly blocks: OpenedBlocks;
  /** The block that the user chose. */
  readonly selected: () => ItemId | undefined;
  /** Undefined until the chat has started. */
  readonly chat: () => Chat | undefined;
  readonly lower: (look: Look, linesBelow: number) => LowerLines;
  readonly start: (look: Look) => readonly string[];
  /** The item that a card shows instead of the conversation. */
  readonly onCard: () => ItemId | undefined;
}

export function createScreenParts(options: ScreenPartsOptions): ScreenParts {
  const { tui, editor, glyphs, blocks } = options;
  const drawer = createConversationDrawer({ pace: 'smooth' });
  let paint: Paint = createPaint({}, options.colors());
  let markdown = createMarkdown(paint, glyphs);
  const pictures = createPictures({ env: options.env, changed: () => tui.requestRender() });
  let paintedFor: { readonly theme: unknown; readonly colors: PaintOptions } | undefined;
  let owners: readonly (ItemId | undefined)[] = [];
  let drawnLines: readonly string[] = [];
  let padding = 0;
  let lower: LowerLines | undefined;

  function lookAt(width: number): Look {
    const chat = options.chat();
    const theme = chat?.theme ?? {};
    const colors = options.colors();
    if (paintedFor?.theme !== theme || paintedFor.colors !== colors) {
      paintedFor = { theme, colors };
      paint = createPaint(theme, colors);
      markdown = createMarkdown(paint, glyphs);
    }
    const view = chat?.view;
    const lastSeen = chat?.isLost === true ? chat.lostAt : undefined;
    return {
      width,
      paint,
      glyphs,
      markdown,
      prompt: theme.prompt ?? glyphs.prompt,
      self: chat?.self ?? '',
      now: lastSeen ?? Date.now(),
      lastSeen,
      isOpen: (item) => blocks.isOpen(item),
      openings: blocks.openings,
      onCard: options.onCard(),
      textOf(body) {
        const whole = isBlobRef(body) ? view?.texts.get(body.blob) : body;
        if (whole === undefined) chat?.wantText(body);
        return whole ?? previewOf(body);
      },
      streamOf: (effect) => view?.streams.get(effect),
      // Asked for only with the first link: in tmux, it starts a process.
      link: (text, file) =>
        getCapabilities().hyperlinks
          ? hyperlink(text, pathToFileURL(path.resolve(view?.status?.cwd ?? '', file)).href)
          : text,
      pictures,
      workerName: (worker) => view?.workers.find((row) => row.worker === worker)?.name ?? worker,
    };
  }

  /** All parts of one frame use the same lines. A frame is drawn synchronously. */
  function lowerAt(width: number): LowerLines {
    if (lower === undefined) {
      const hidden = scrolled.isFollowingEnd
        ? 0
        : Math.max(0, height - scrolled.scrollTop - scrolled.viewportHeight);
      lower = options.lower(lookAt(width), hidden);
      queueMicrotask(() => (lower = undefined));
    }
    return lower;
  }

  let height = 0;
  const conversation: Component = {
    invalidate: () => undefined,
    render(width) {
      const look = lookAt(width);
      const chat = options.chat();
      const drawing =
        chat === undefined
          ? { lines: [look.paint.ink3('  Opening…')], owners: [], isBehind: false }
          : drawer.draw(chat.view, look, chat.clearedAt);
      ({ owners, lines: drawnLines } = drawing);
      if (drawing.isBehind) queueMicrotask(options.drawSoon);
      const isStart = chat !== undefined && drawing.lines.length === 0;
      const lines = isStart ? options.start(look).map(isolated) : drawing.lines;
      const { above, prompt, below } = lowerAt(width);
      const room = tui.terminal.rows - above.length - prompt.length - below.length;
      // A short conversation stands above the prompt, not at the top.
      padding = isStart ? 0 : Math.max(0, room - lines.length);
      height = padding + lines.length;
      const selected = options.selected();
      const shown =
        selected === undefined
          ? lines
          : lines.map((line, index) =>
              owners[index] === selected && !pictures.isOwn(line)
                ? look.paint.selected(padded(line, width))
                : line,
            );
      return [...Array.from({ length: padding }, () => ''), ...asciiLines(shown, glyphs)];
    },
    handleMouse(event) {
      if (event.type !== 'click') return undefined;
      const owner = owners[event.y - padding];
      if (owner === undefined) return undefined;
      blocks.toggle(owner);
      return { handled: true };
    },
  };
  const part = (which: keyof LowerLines): Component => ({
    invalidate: () => undefined,
    render: (width) => [...asciiLines(lowerAt(width)[which], glyphs)],
  });
  const prompt: Component & { readonly children: readonly Component[] } = {
    children: [editor],
    ...part('prompt'),
    invalidate: () => editor.invalidate(),
    // The editor counts its border as the first row.
    handleMouse: (event) => editor.handleMouse({ ...event, y: event.y + 1 }),
  };
  const scrolled = new ScrollView(conversation, { follow: 'end', primary: true, scrollbar: 'hidden' });

  return {
    root: new VStack([
      { component: scrolled, basis: 0, grow: 1, minSize: 1 },
      { component: part('above'), basis: 'auto', shrink: 1, minSize: 0 },
      { component: prompt, basis: 'auto', minSize: 1 },
      { component: part('below'), basis: 'auto', minSize: 1 },
    ]),
    scrolled,
    paint: () => paint,
    look: lookAt,
    owners: () => owners,
    conversation: () => drawnLines,
    reveal(first, last) {
      const [top, bottom] = [first + padding, last + padding];
      const { scrollTop, viewportHeight } = scrolled;
      if (bottom >= scrollTop + viewportHeight) tui.scrollBy(bottom - scrollTop - viewportHeight + 1);
      if (top < scrolled.scrollTop) tui.scrollBy(top - scrolled.scrollTop);
    },
  };
}
