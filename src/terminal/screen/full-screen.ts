/**
 * The chat on a terminal. It draws the chat's view and maps keys to the chat's actions. It makes no decisions.
 */
import path from 'node:path';

import { ProcessTerminal, TuiAltScreen } from '@earendil-works/pi-tui';

import type { ChatBackend } from '../chat/chat-backend.ts';
import { createCardFocus } from '../chat/card-focus.ts';
import { createChatKeys } from '../chat/chat-keys.ts';
import type { Chat, Screen } from '../chat/chat.ts';
import { createCompletion } from '../chat/completion.ts';
import { createChat } from '../chat/create-chat.ts';
import type { HistoryFile } from '../chat/history-file.ts';
import { createOpenedBlocks } from '../chat/opened-blocks.ts';
import { createRecall } from '../chat/recall.ts';
import { glyphsFor } from '../glyphs.ts';
import type { ThemeName } from '../palette.ts';
import type { Look } from '../lines/look.ts';
import { reconnectCard } from '../lines/reconnect-card.ts';
import { footerFacts } from './footer-facts.ts';
import { serverName } from './footer.ts';
import type { KeyState } from './key-hints.ts';
import { keyHelpLines } from './key-help.ts';
import { chatKeybindings } from './keybindings.ts';
import { lastAnswer } from './last-answer.ts';
import { cardHeight, lowerLines } from './lower-lines.ts';
import { editInEditor } from './external-editor.ts';
import type { Picker } from './picker.ts';
import { createPickers } from './pickers.ts';
import { PromptEditor } from './prompt-editor.ts';
import { createRequests } from './requests.ts';
import type { TerminalGuard } from './restore-terminal.ts';
import { createScreenParts } from './screen-parts.ts';
import { startLines } from './start-lines.ts';
import { createScreenTheme } from './screen-theme.ts';
import { suspendScreen } from './suspend-screen.ts';
import { createWaitingElsewhere } from './waiting-elsewhere.ts';
import type { Environment } from '../../ports/environment.ts';

export interface FullScreenOptions {
  readonly connect: () => Promise<ChatBackend>;
  /** Opens the chat's first session. */
  readonly begin: (chat: Chat, backend: ChatBackend) => Promise<void>;
  readonly history: HistoryFile;
  readonly guard: TerminalGuard;
  readonly env: Environment;
  readonly version: string;
  readonly cwd: string;
  readonly isAscii: boolean;
  /** Undefined: chosen by the terminal's background. */
  readonly theme: ThemeName | undefined;
}

export interface Left {
  /** The last session, if it contains any conversation. */
  readonly session: string | undefined;
  readonly isWorking: boolean;
  /** Typed lines that the server never confirmed. */
  readonly unsent: readonly string[];
  readonly backend: ChatBackend | undefined;
}

const tickMs = 125;
const hintMs = 2500;

export async function runFullScreen(options: FullScreenOptions): Promise<Left> {
  const { connect, begin, history, guard, env } = options;
  chatKeybindings();
  const tui = new TuiAltScreen(new ProcessTerminal(), true);
  const left = Promise.withResolvers<undefined>();
  const blocks = createOpenedBlocks();
  const recall = createRecall();
  const theme = createScreenTheme({ tui, env, chosen: options.theme });
  const glyphs = glyphsFor({ isAscii: options.isAscii, env });
  let backend: ChatBackend | undefined;
  let chat: Chat | undefined;
  let hasBegun = false;
  let picker: Picker | undefined;
  let isHelpOpen = false;
  let isPanelOpen = true;
  let hint = '';
  let hintTimer: NodeJS.Timeout | undefined;
  let unsent: readonly string[] = [];
  const begun = () => (hasBegun ? chat : undefined);
  const project = () => path.basename(begun()?.view.status?.cwd || options.cwd);

  const screen: Screen = {
    changed: () => tui.requestRender(),
    lists: {
      pickSession: (words) => pickers.sessions(words),
      showJobs: () => pickers.jobs(),
      pickModel: (current) => pickers.models(current),
      pickAgent: (current) => pickers.agents(current),
      pickMode: (current) => pickers.modes(current),
      showChanges: (changes) => pickers.changes(changes),
      pickRewind: (points, session) => pickers.rewind(points, session),
    },
    leave: () => left.resolve(undefined),
    // OSC 52, which tmux passes on.
    copy: (text) => tui.terminal.write(`\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`),
    setDraft(text) {
      if (editor.getText() === '') editor.setText(text);
    },
  };
  guard.onSignal(screen.leave);
  const editor = new PromptEditor(
    tui,
    {
      borderColor: (text) => text,
      selectList: {
        selectedPrefix: (text) => text.replace('→', glyphs.prompt),
        selectedText: (text) => parts.paint().selected(text.replace('→', glyphs.prompt)),
        description: (text) => parts.paint().ink2(text),
        scrollInfo: (text) => parts.paint().ink3(text),
        noMatch: (text) => parts.paint().ink3(text),
      },
    },
    { paddingX: 2, autocompleteMaxVisible: 8 },
  );
  const focus = createCardFocus({
    question: () => chat?.question?.id,
    isFree: () => editor.getText() === '' && chat?.entry.type === 'prompt' && picker === undefined && !isHelpOpen,
    now: () => performance.now(),
  });
  const requests = createRequests({ chat: begun, focus, project, write: () => focus.toPrompt() });
  const elsewhere = createWaitingElsewhere({ backend: () => backend, chat: begun, changed: screen.changed });
  const parts = createScreenParts({
    tui,
    editor,
    colours: () => theme.colours,
    glyphs,
    blocks,
    chat: begun,
    start: (look) =>
      startLines(
        {
          version: options.version,
          project: project(),
          branch: begun()?.branch,
          model: begun()?.view.status?.model ?? elsewhere.model ?? '',
          recent: elsewhere.recent,
        },
        look,
      ),
    lower(look, linesBelow) {
      const { rows } = tui.terminal;
      const height = cardHeight(rows);
      const card = isHelpOpen
        ? keyHelpLines(look)
        : (picker?.lines(look, height) ?? lostLines(look) ?? requests.lines(look, height));
      return lowerLines(
        {
          chat: begun(),
          editor: editor.parts(look.width),
          draft: editor.getText(),
          card,
          hasCardFocus: focus.place === 'card' || focus.place === 'soon',
          isPanelOpen,
          footer: footerFacts(begun(), { backend, cwd: options.cwd, model: elsewhere.model }),
          keys: keysNow(),
          hint,
          waiting: elsewhere.waiting,
          linesBelow,
          rows,
        },
        look,
      );
    },
  });
  const pickers = createPickers({
    show(next) {
      picker = next;
      tui.requestRender();
    },
    backend: () => backend,
    open: (session) => void chat?.open(session).catch(told),
    command: (line) => void chat?.submit(line),
    setTheme: (name) => theme.choose(name),
    say: (text) => chat?.note(text),
    changed: screen.changed,
    onProblem: told,
  });

  function lostLines(look: Look): readonly string[] | undefined {
    const { isLost, lostAt, unsent: waiting } = begun() ?? { isLost: false, lostAt: undefined, unsent: [] };
    if (!isLost || lostAt === undefined) return undefined;
    const server = serverName(backend?.server ?? '');
    return reconnectCard({ server, since: lostAt, unsent: waiting.length }, look);
  }
  function keysNow(): KeyState {
    if (isHelpOpen) return 'help';
    if (picker !== undefined) return picker.hints;
    if (editor.isShowingAutocomplete()) return 'menu';
    const current = begun();
    if (current?.isLost === true) return 'lost';
    if (current?.entry.type === 'queued') return 'queue';
    if (current?.question !== undefined) return requests.keys;
    if (current?.isWorking === true) return 'turn';
    return editor.getText() === '' ? 'idle' : 'typing';
  }
  function told(error: unknown): void {
    chat?.note((error as Error).message, 'error');
  }
  function remember(text: string): void {
    if (text.trim() === '') return;
    recall.add(text);
    history.add(text).catch(told);
  }
  function showHint(text: string): void {
    hint = text;
    clearTimeout(hintTimer);
    hintTimer = setTimeout(() => {
      hint = '';
      tui.requestRender();
    }, hintMs);
    tui.requestRender();
  }

  tui.setLayoutRoot(parts.root);
  tui.setFocus(editor);
  editor.setAutocompleteProvider(createCompletion({ commands: () => chat?.commands, backend: () => backend }));
  editor.onSubmit = (text) => {
    const to = begun();
    if (to === undefined) return editor.setText(text);
    if (to.entry.type === 'prompt') remember(text);
    // Only this screen has colours to choose, so it isn't a command of every front end.
    if (text.trim() === '/theme') return pickers.themes(theme.colours.name);
    tui.scrollToBottom();
    void to.submit(text);
  };
  const suspension = suspendScreen(tui);
  tui.addInputListener(
    createChatKeys({
      tui,
      editor,
      recall,
      focus,
      chat: begun,
      picker: () => picker,
      help: {
        get isOpen() {
          return isHelpOpen;
        },
        open: () => (isHelpOpen = true),
        close: () => (isHelpOpen = false),
      },
      onCard: (key) => requests.key(key),
      interrupt: () => void chat?.interrupt(),
      toggleBlocks: () =>
        blocks.toggleAll(
          parts
            .owners()
            .filter((owner) => owner !== undefined)
            .slice(-400),
        ),
      togglePanel() {
        isPanelOpen = !isPanelOpen;
        blocks.toggleThoughts();
      },
      nextMode: () => void chat?.nextMode().then(showHint, told),
      pickSession: () => pickers.sessions(''),
      pickModel: () => pickers.models(chat?.view.status?.model),
      rewind: () => void chat?.submit('/rewind'),
      nextRequest() {
        if (chat?.question !== undefined && focus.place !== 'card') return focus.toggle();
        const next = elsewhere.next();
        if (next === undefined) showHint('Nothing else needs you');
        else void chat?.open(next).catch(told);
      },
      edit: () => void editInEditor(tui, editor.getExpandedText(), env).then((text) => editor.setText(text), told),
      suspend: suspension.suspend,
      redraw: () => tui.renderNow(true),
      remember,
      hint: showHint,
      leave: screen.leave,
      onProblem: told,
    }),
  );
  tui.start();
  tui.renderNow();
  theme.ask();
  const ticking = setInterval(() => {
    focus.look();
    if (chat?.isWorking === true || chat?.question !== undefined || chat?.isLost === true) tui.requestRender();
  }, tickMs);

  try {
    const opening = (async () => {
      for (const line of await history.load()) recall.add(line);
      backend = await connect();
      chat = createChat(backend, screen);
      await begin(chat, backend);
      hasBegun = true;
      elsewhere.begin();
      tui.requestRender();
    })();
    await Promise.race([left.promise, opening.then(() => left.promise)]);
  } finally {
    clearInterval(ticking);
    clearTimeout(hintTimer);
    elsewhere.close();
    suspension.stopListening();
    picker?.close();
    const draft = editor.getExpandedText();
    if (draft.trim() !== '') await history.add(draft).catch(() => undefined);
    unsent = chat?.unsent ?? [];
    chat?.close();
    await tui.terminal.drainInput(200, 20);
    // The normal screen gets the last answer, so that it stays in sight.
    const look = parts.look(tui.terminal.columns);
    const current = begun();
    const last = current === undefined ? [] : lastAnswer(current.view, look);
    tui.stop({ preserveScreen: true });
    for (const line of last) tui.terminal.write(`${line}\r\n`);
    guard.released();
  }
  const talked = begun();
  const spoken = talked?.hasHistory === true ? talked.view.session : undefined;
  return { session: spoken, isWorking: chat?.isWorking ?? false, unsent, backend };
}
