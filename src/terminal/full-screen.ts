/**
 * The chat on a terminal: the conversation, what goes on, the editor and the status line. It draws the chat's
 * view and turns keys into what the chat does; it decides nothing.
 */
import {
  Editor,
  HStack,
  Key,
  matchesKey,
  ProcessTerminal,
  ScrollView,
  TuiAltScreen,
  VStack,
  type Component,
} from '@earendil-works/pi-tui';

import { isBlobRef, previewOf } from '../kernel/content.ts';
import type { ItemId } from '../views/transcript-item.ts';
import type { ChatBackend } from './chat-backend.ts';
import type { Chat, Screen } from './chat.ts';
import { createCompletion } from './completion.ts';
import { createChat } from './create-chat.ts';
import { createConversationDrawer } from './draw-conversation.ts';
import { cut } from './fit.ts';
import { footLines } from './foot-lines.ts';
import type { HistoryFile } from './history-file.ts';
import { createInterruptPolicy } from './interrupt-policy.ts';
import type { Look } from './look.ts';
import { createMarkdown } from './markdown.ts';
import { createOverlays } from './overlays.ts';
import { keyMeaning } from './question-keys.ts';
import type { TerminalGuard } from './restore-terminal.ts';
import { statusBar } from './status-bar.ts';
import { colourDepthOf, createPaint, defaultPrompt, type Paint } from './theme.ts';
import { panelFrom, panelLines, panelWidth } from './worker-lines.ts';
import { isEnded } from './worker-rows.ts';

export interface FullScreenOptions {
  readonly connect: () => Promise<ChatBackend>;
  /** Opens the session that the chat begins with. */
  readonly begin: (chat: Chat, backend: ChatBackend, screen: Screen) => Promise<void>;
  readonly history: HistoryFile;
  readonly guard: TerminalGuard;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Left {
  /** The session that was spoken to last, if anything was said in it. */
  readonly session: string | undefined;
  readonly isWorking: boolean;
  readonly backend: ChatBackend | undefined;
}

/** A key pressed before a question could be read is not an answer to it. */
const readingMs = 400;
const tickMs = 100;

export async function runFullScreen({ connect, begin, history, guard, env }: FullScreenOptions): Promise<Left> {
  const depth = colourDepthOf(env);
  const tui = new TuiAltScreen(new ProcessTerminal(), true);
  const left = Promise.withResolvers<undefined>();
  const policy = createInterruptPolicy();
  const drawer = createConversationDrawer({ pace: 'smooth' });
  const opened = new Set<ItemId>();
  const closed = new Set<string>();
  let areThoughtsOpen = false;
  let backend: ChatBackend | undefined;
  let chat: Chat | undefined;
  let paint: Paint = createPaint({}, depth);
  let markdown = createMarkdown(paint);
  let themeOf: unknown;
  let isLeaving = false;
  let owners: readonly (ItemId | undefined)[] = [];
  let asked: { readonly id: string; readonly since: number } | undefined;

  const screen: Screen = {
    changed: () => tui.requestRender(),
    pickSession: (words) => overlays.pickSession(words),
    showJobs: () => overlays.showJobs(),
    leave: () => left.resolve(undefined),
  };
  guard.onSignal(screen.leave);
  const editor = new Editor(
    tui,
    {
      borderColor: (text) => paint.quiet(text),
      selectList: {
        selectedPrefix: (text) => paint.accent(text),
        selectedText: (text) => paint.strong(text),
        description: (text) => paint.quiet(text),
        scrollInfo: (text) => paint.quiet(text),
        noMatch: (text) => paint.quiet(text),
      },
    },
    { paddingX: 2, autocompleteMaxVisible: 8 },
  );
  const overlays = createOverlays({
    tui,
    paint: () => paint,
    sessions: async (q) => (await backend?.sessions(q === '' ? {} : { q })) ?? [],
    open: (session) => void chat?.open(session).catch(told),
    jobs: async () => (chat === undefined ? [] : ((await backend?.jobs(chat.view.session)) ?? [])),
    cancelJob: async (job) => chat?.note((await backend?.cancelJob(job)) ?? ''),
    onProblem: told,
  });
  function told(error: unknown): void {
    chat?.note((error as Error).message, 'error');
  }
  const hasView = () => chat !== undefined && hasBegun;
  let hasBegun = false;

  function lookAt(width: number): Look {
    const theme = chat?.theme ?? {};
    if (theme !== themeOf) {
      themeOf = theme;
      paint = createPaint(theme, depth);
      markdown = createMarkdown(paint);
    }
    const view = hasView() ? chat?.view : undefined;
    return {
      width,
      paint,
      markdown,
      prompt: theme.prompt ?? defaultPrompt,
      now: Date.now(),
      isOpen: (item) => (item.endsWith(' reasoning') ? areThoughtsOpen : opened.has(item)),
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
      if (chat === undefined || !hasView()) return [look.paint.quiet('Opening…')];
      const drawing = drawer.draw(chat.view, look, chat.clearedAt);
      ({ owners } = drawing);
      if (drawing.isBehind) setTimeout(() => tui.requestRender(), 16);
      if (drawing.lines.length > 0) return [...drawing.lines];
      return welcome(chat, look);
    },
    handleMouse(event) {
      if (event.type !== 'click') return undefined;
      const owner = owners[event.y];
      if (owner === undefined) return undefined;
      if (!opened.delete(owner)) opened.add(owner);
      return { handled: true };
    },
  };
  const foot: Component = {
    invalidate: () => undefined,
    render(width) {
      if (isLeaving || chat === undefined || !hasView()) return [];
      const { entry } = chat;
      const editing = entry.type === 'queued' ? entry.prompt : undefined;
      const lines = footLines(
        chat.view,
        { screenWidth: tui.terminal.columns, editing, keys: keysNow() },
        lookAt(width),
      );
      return lines.length === 0 ? [] : ['', ...lines];
    },
  };
  const typing: Component & { readonly children: readonly Component[] } = {
    children: [editor],
    invalidate: () => editor.invalidate(),
    render(width) {
      if (isLeaving) return [];
      const { prompt } = lookAt(width);
      const [top = '', first = '', ...rest] = editor.render(width);
      const label = labelFor(chat);
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
      const status = hasView() ? chat?.view.status : undefined;
      if (isLeaving || chat === undefined || status === undefined) return isLeaving ? [] : [''];
      const liveWorkers = chat.view.workers.filter(({ state }) => !isEnded(state)).length;
      return [statusBar(status, { branch: chat.branch, server: backend?.server, liveWorkers }, { paint, width })];
    },
  };
  const panel: Component = {
    invalidate: () => undefined,
    render: (width) =>
      isLeaving || chat === undefined
        ? []
        : panelLines(chat.view.workers, { paint, width: width - 2, now: Date.now() }).map(
            (line) => `${paint.quiet('│')} ${line}`,
          ),
  };
  const hasPanel = (width: number) =>
    !isLeaving && width >= panelFrom && hasView() && (chat?.view.workers.length ?? 0) > 0;

  tui.setLayoutRoot(
    new VStack([
      {
        component: new HStack([
          {
            component: new ScrollView(conversation, { follow: 'end', primary: true, scrollbar: 'auto' }),
            basis: 0,
            grow: 1,
            minSize: 1,
          },
          { component: panel, basis: panelWidth, visible: ({ width }) => hasPanel(width) },
        ]),
        basis: 0,
        grow: 1,
        minSize: 1,
      },
      { component: foot, basis: 'auto', shrink: 2, minSize: 0 },
      { component: typing, basis: 'auto', shrink: 1, minSize: 3 },
      { component: bar, basis: 'auto', minSize: 1 },
    ]),
  );
  tui.setFocus(editor);
  editor.setAutocompleteProvider(createCompletion({ commands: () => chat?.commands, backend: () => backend }));
  editor.onSubmit = (text) => {
    if (chat === undefined || !hasView()) return editor.setText(text);
    if (chat.entry.type === 'prompt') remember(text);
    void chat.submit(text);
  };

  function remember(text: string): void {
    if (text.trim() === '') return;
    editor.addToHistory(text);
    history.add(text).catch(told);
  }

  function isAnswering(): boolean {
    const question = chat?.question;
    return (
      question !== undefined &&
      editor.getText() === '' &&
      !closed.has(question.id) &&
      chat?.entry.type === 'prompt'
    );
  }

  function keysNow(): 'count' | 'soon' | 'elsewhere' {
    if (!isAnswering()) return 'elsewhere';
    const isRead = asked?.id === chat?.question?.id && performance.now() - (asked?.since ?? 0) >= readingMs;
    return isRead ? 'count' : 'soon';
  }

  function pressed(data: string): { consume: true } | undefined {
    const consume = { consume: true } as const;
    if (matchesKey(data, Key.ctrl('c'))) {
      if (tui.hasOverlay()) return undefined;
      if (policy.press({ at: performance.now(), isWorking: chat?.isWorking ?? false }) === 'leave') {
        // What was typed and not sent can be had back with the arrow up.
        history.add(editor.getText()).catch(() => undefined);
        left.resolve(undefined);
      } else void chat?.interrupt();
      return consume;
    }
    if (tui.hasOverlay() || chat === undefined || !hasView()) return undefined;
    const text = editor.getText();
    if (matchesKey(data, Key.ctrl('d')) && text === '') {
      left.resolve(undefined);
      return consume;
    }
    if (matchesKey(data, Key.ctrl('o'))) {
      toggleBlocks();
      return consume;
    }
    if (matchesKey(data, Key.ctrl('t'))) {
      areThoughtsOpen = !areThoughtsOpen;
      tui.requestRender();
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
        .catch(told);
      return consume;
    }
    if (matchesKey(data, Key.escape) && !editor.isShowingAutocomplete()) return escaped(text);
    return questionKey(data);
  }

  function escaped(text: string): { consume: true } | undefined {
    if (chat === undefined) return undefined;
    if (chat.entry.type !== 'prompt') {
      editor.setText('');
      chat.stopEditing();
      return { consume: true };
    }
    const { question } = chat;
    if (question === undefined) return undefined;
    if (text !== '') {
      remember(text);
      editor.setText('');
      closed.delete(question.id);
    } else if (!closed.delete(question.id)) closed.add(question.id);
    tui.requestRender();
    return { consume: true };
  }

  function questionKey(data: string): { consume: true } | undefined {
    const question = chat?.question;
    if (question === undefined || chat === undefined || !isAnswering()) return undefined;
    if (asked?.id !== question.id) asked = { id: question.id, since: performance.now() };
    const meaning = keyMeaning(question.about, data);
    if (meaning.type === 'nothing') return undefined;
    if (keysNow() === 'soon') return { consume: true };
    if (meaning.type === 'give-reason') chat.giveReason();
    else void chat.answer(meaning.answer);
    return { consume: true };
  }

  /** All blocks of the newest turn, open or closed together. */
  function toggleBlocks(): void {
    const ids = owners.filter((owner) => owner !== undefined).slice(-400);
    const newest = new Set(ids);
    const isAnyClosed = [...newest].some((id) => !opened.has(id));
    for (const id of newest) {
      if (isAnyClosed) opened.add(id);
      else opened.delete(id);
    }
    tui.requestRender();
  }

  tui.addInputListener(pressed);
  tui.start();
  tui.renderNow();
  const ticking = setInterval(() => {
    const question = chat?.question;
    if (question !== undefined && asked?.id !== question.id) asked = { id: question.id, since: performance.now() };
    if (chat?.isWorking === true || question !== undefined) tui.requestRender();
  }, tickMs);

  try {
    const opening = (async () => {
      for (const line of await history.load()) editor.addToHistory(line);
      backend = await connect();
      chat = createChat(backend, screen);
      await begin(chat, backend, screen);
      hasBegun = true;
      tui.requestRender();
    })();
    await Promise.race([left.promise, opening.then(() => left.promise)]);
  } finally {
    clearInterval(ticking);
    isLeaving = true;
    chat?.close();
    await tui.terminal.drainInput(200, 20);
    // What stays in the terminal's own history is the conversation, not the screen around it.
    tui.setLayoutRoot(conversation);
    tui.stop(hasView() ? {} : { preserveScreen: true });
    guard.released();
  }
  const spoken = hasView() && chat?.hasHistory === true ? chat.view.session : undefined;
  return { session: spoken, isWorking: chat?.isWorking ?? false, backend };
}

function labelFor(chat: Chat | undefined): string {
  switch (chat?.entry.type) {
    case 'reason':
      return 'why not? · enter sends · esc goes back';
    case 'queued':
      return 'a prompt in the queue · enter keeps · empty removes · esc leaves it';
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
    paint.quiet('enter sends · ctrl+s joins the running turn · /help · @file · !command'),
    paint.quiet('ctrl+o opens blocks · ctrl+c cancels, twice leaves · ctrl+d leaves'),
  ].map((line) => cut(line, width));
}
