/** The parts of the full screen, drawn from the chat's view: conversation, foot, editor, status line, workers. */
import {
  HStack,
  ScrollView,
  VStack,
  type Component,
  type Editor,
  type TuiAltScreen,
} from '@earendil-works/pi-tui';

import { isBlobRef, previewOf } from '../../kernel/content.ts';
import type { ItemId } from '../../views/transcript-item.ts';
import type { Chat } from '../chat/chat.ts';
import { createConversationDrawer } from './draw-conversation.ts';
import { cut } from '../lines/fit.ts';
import { footLines } from './foot-lines.ts';
import type { Look } from '../lines/look.ts';
import { createMarkdown } from './markdown.ts';
import type { OpenedBlocks } from '../chat/opened-blocks.ts';
import type { QuestionFocus } from '../chat/question-focus.ts';
import { statusBar } from './status-bar.ts';
import { createPaint, defaultPrompt, type ColourDepth, type Paint } from '../theme.ts';
import { panelFrom, panelLines, panelWidth } from '../lines/worker-lines.ts';
import { isEnded } from '../chat/worker-rows.ts';

export interface ScreenParts {
  /** The layout of all parts. */
  readonly root: Component;
  readonly conversation: Component;
  /** The paint in the colors of the chat's agent. */
  paint(): Paint;
  /** The item to which each line of the conversation belongs. */
  owners(): readonly (ItemId | undefined)[];
}

export interface ScreenPartsOptions {
  readonly tui: TuiAltScreen;
  readonly editor: Editor;
  readonly depth: ColourDepth;
  readonly blocks: OpenedBlocks;
  /** Undefined until the chat has started. */
  readonly chat: () => Chat | undefined;
  readonly server: () => string | undefined;
  readonly keys: () => ReturnType<QuestionFocus['keys']>;
  /** If true, only the conversation is drawn. */
  readonly isLeaving: () => boolean;
}

export function createScreenParts(options: ScreenPartsOptions): ScreenParts {
  const { tui, editor, depth, blocks, isLeaving } = options;
  const drawer = createConversationDrawer({ pace: 'smooth' });
  let paint: Paint = createPaint({}, depth);
  let markdown = createMarkdown(paint);
  let themeOf: unknown;
  let owners: readonly (ItemId | undefined)[] = [];

  function lookAt(width: number): Look {
    const chat = options.chat();
    const theme = chat?.theme ?? {};
    if (chat !== undefined && theme !== themeOf) {
      themeOf = theme;
      paint = createPaint(theme, depth);
      markdown = createMarkdown(paint);
    }
    const view = chat?.view;
    return {
      width,
      paint,
      markdown,
      prompt: theme.prompt ?? defaultPrompt,
      now: Date.now(),
      isOpen: (item) => blocks.isOpen(item),
      textOf(body) {
        const whole = isBlobRef(body) ? view?.texts.get(body.blob) : body;
        if (whole === undefined) chat?.wantText(body);
        return whole ?? previewOf(body);
      },
      streamOf: (effect) => view?.streams.get(effect),
      workerName: (worker) => view?.workers.find((row) => row.worker === worker)?.name ?? worker,
    };
  }

  const conversation: Component = {
    invalidate: () => undefined,
    render(width) {
      const look = lookAt(width);
      const chat = options.chat();
      if (chat === undefined) return [look.paint.quiet('Opening…')];
      const drawing = drawer.draw(chat.view, look, chat.clearedAt);
      ({ owners } = drawing);
      if (drawing.isBehind) setTimeout(() => tui.requestRender(), 16);
      return drawing.lines.length > 0 ? [...drawing.lines] : welcome(chat, look);
    },
    handleMouse(event) {
      if (event.type !== 'click') return undefined;
      const owner = owners[event.y];
      if (owner === undefined) return undefined;
      blocks.toggle(owner);
      return { handled: true };
    },
  };
  const foot: Component = {
    invalidate: () => undefined,
    render(width) {
      const chat = options.chat();
      if (isLeaving() || chat === undefined) return [];
      const { entry } = chat;
      const editing = entry.type === 'queued' ? entry.prompt : undefined;
      const unsent = chat.isLost ? chat.unsent : [];
      const place = { screenWidth: tui.terminal.columns, editing, keys: options.keys(), unsent };
      const lines = footLines(chat.view, place, lookAt(width));
      return lines.length === 0 ? [] : ['', ...lines];
    },
  };
  const typing: Component & { readonly children: readonly Component[] } = {
    children: [editor],
    invalidate: () => editor.invalidate(),
    render(width) {
      if (isLeaving()) return [];
      const { prompt } = lookAt(width);
      const [top = '', first = '', ...rest] = editor.render(width);
      const label = labelFor(options.chat());
      return [
        label === '' ? top : cut(`${paint.quiet('──')} ${paint.accent(label)} ${top}`, width),
        `${paint.user(prompt)} ${first.slice(2)}`,
        ...rest,
      ];
    },
    handleMouse: (event) => editor.handleMouse(event),
  };
  const bar: Component = {
    invalidate: () => undefined,
    render(width) {
      if (isLeaving()) return [];
      const chat = options.chat();
      if (chat?.view.status === undefined) return [''];
      const { status, workers } = chat.view;
      const liveWorkers = workers.filter(({ state }) => !isEnded(state)).length;
      const around = { branch: chat.branch, server: options.server(), isLost: chat.isLost, liveWorkers };
      return [statusBar(status, around, { paint, width })];
    },
  };
  const panel: Component = {
    invalidate: () => undefined,
    render(width) {
      const chat = options.chat();
      if (isLeaving() || chat === undefined) return [];
      const lines = panelLines(chat.view.workers, { paint, width: width - 2, now: Date.now() });
      return lines.map((line) => `${paint.quiet('│')} ${line}`);
    },
  };
  const hasPanel = (width: number) =>
    !isLeaving() && width >= panelFrom && (options.chat()?.view.workers.length ?? 0) > 0;
  const scrolled = new ScrollView(conversation, { follow: 'end', primary: true, scrollbar: 'auto' });
  const beside = new HStack([
    { component: scrolled, basis: 0, grow: 1, minSize: 1 },
    { component: panel, basis: panelWidth, visible: ({ width }) => hasPanel(width) },
  ]);

  return {
    root: new VStack([
      { component: beside, basis: 0, grow: 1, minSize: 1 },
      { component: foot, basis: 'auto', shrink: 2, minSize: 0 },
      { component: typing, basis: 'auto', shrink: 1, minSize: 3 },
      { component: bar, basis: 'auto', minSize: 1 },
    ]),
    conversation,
    paint: () => paint,
    owners: () => owners,
  };
}

function labelFor(chat: Chat | undefined): string {
  switch (chat?.entry.type) {
    case 'reason':
      return 'reason? · enter sends · esc goes back';
    case 'queued':
      return 'queued prompt · enter saves · empty removes · esc cancels';
    case 'prompt':
    case undefined:
      return '';
  }
}

function welcome(chat: Chat, { paint, width }: Look): string[] {
  const { status } = chat.view;
  return [
    `${paint.strong('Rondo')} ${paint.quiet(`· ${status?.agent ?? ''} · ${status?.cwd ?? ''}`)}`,
    '',
    paint.quiet('enter sends · ctrl+s steers the current turn · /help · @file · !command'),
    paint.quiet('ctrl+o opens blocks · ctrl+c cancels, twice leaves · ctrl+d leaves'),
  ].map((line) => cut(line, width));
}
