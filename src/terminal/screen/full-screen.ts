/**
 * The chat on a terminal. It draws the chat's view and maps keys to the chat's actions. It makes no decisions.
 */
import path from 'node:path';

import { TuiAltScreen } from '@earendil-works/pi-tui';

import type { ChatBackend } from '../chat/chat-backend.ts';
import { createCardFocus } from '../chat/card-focus.ts';
import { createChatKeys, type VimSwitch } from '../chat/chat-keys.ts';
import type { Chat, Screen } from '../chat/chat.ts';
import { createCompletion } from '../chat/completion.ts';
import { createChat } from '../chat/create-chat.ts';
import { commandKey } from '../chat/command-key.ts';
import type { DraftFile } from '../chat/draft-file.ts';
import type { HistoryFile } from '../chat/history-file.ts';
import { keyMapFrom } from '../chat/key-map.ts';
import { createOpenedBlocks } from '../chat/opened-blocks.ts';
import { createRecall } from '../chat/recall.ts';
import type { SettingsFile, TerminalSettings } from '../chat/terminal-settings.ts';
import { insertMode } from '../chat/vim-keys.ts';
import { glyphsFor } from '../glyphs.ts';
import type { ThemeName } from '../palette.ts';
import type { Look } from '../lines/look.ts';
import { withoutIsolates } from '../../wording/isolates.ts';
import { withoutStyles, wrapped } from '../lines/fit.ts';
import { reconnectCard } from '../lines/reconnect-card.ts';
import { effectHeading } from '../../wording/effect-heading.ts';
import { printable } from '../../views/printable.ts';
import { attentionFacts, createAttention } from './attention.ts';
import { createBlockSelection } from './block-selection.ts';
import { createBlockViewer } from './block-viewer.ts';
import { clipboardSequence } from './clipboard-sequence.ts';
import { copiedText } from './copied-text.ts';
import { createPromptDraft } from './prompt-draft.ts';
import { createFailures } from './failures.ts';
import { createFramePace } from './frame-pace.ts';
import { FocusedTerminal } from './focused-terminal.ts';
import { footerFacts, otherModels, providerFacts } from './footer-facts.ts';
import { serverName } from './footer.ts';
import type { KeyState } from './key-hints.ts';
import { keyHelpLines, keyHelpText } from './key-help.ts';
import { chatKeybindings } from './keybindings.ts';
import { lastAnswer } from './last-answer.ts';
import { cardHeight, lineModeOffer, lowerLines } from './lower-lines.ts';
import { editInEditor } from './external-editor.ts';
import type { Picker } from './picker.ts';
import { createPickers } from './pickers.ts';
import { menuRows, moreText, PromptEditor, promptPadding } from './prompt-editor.ts';
import { createQueueSelector } from './queue-selector.ts';
import { createRequests } from './requests.ts';
import type { TerminalGuard } from './restore-terminal.ts';
import { screenCommandIn, screenCommands, type ScreenCommand } from './screen-commands.ts';
import { createScreenParts } from './screen-parts.ts';
import { startLines, tries } from './start-lines.ts';
import { createScreenTheme } from './screen-theme.ts';
import { terminalFacts } from './terminal-facts.ts';
import { suspendScreen } from './suspend-screen.ts';
import { createVisitedSessions } from './visited-sessions.ts';
import { createWaitingElsewhere } from './waiting-elsewhere.ts';
import type { Environment } from '../../ports/environment.ts';

export interface FullScreenOptions {
  readonly connect: () => Promise<ChatBackend>;
  /** Opens the chat's first session. */
  readonly begin: (chat: Chat, backend: ChatBackend) => Promise<void>;
  readonly history: HistoryFile;
  readonly drafts: DraftFile;
  readonly settings: SettingsFile;
  readonly guard: TerminalGuard;
  readonly env: Environment;
  readonly version: string;
  readonly cwd: string;
  readonly isAscii: boolean;
  /** False leaves selections to the terminal. */
  readonly hasMouse: boolean;
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

/** Rows below the help: rules, prompt, footer and keys. */
const helpSurroundings = 7;
const tickMs = 125;
const hintMs = 2500;

export async function runFullScreen(options: FullScreenOptions): Promise<Left> {
  const { connect, begin, history, guard, env } = options;
  chatKeybindings();
  const terminal = new FocusedTerminal((isFocused) => attention.focused(isFocused));
  const tui = new TuiAltScreen(terminal, true, undefined, { mouse: options.hasMouse, copySelection });
  const pace = createFramePace(() => tui.requestRender());
  const left = Promise.withResolvers<undefined>();
  const blocks = createOpenedBlocks();
  const recall = createRecall();
  const { settings: stored, problem } = await options.settings.load();
  const theme = createScreenTheme({ tui, env, chosen: options.theme ?? stored.theme });
  const glyphs = glyphsFor({ isAscii: options.isAscii, env });
  const keyMap = keyMapFrom(stored);
  let attention = createAttention({ env, glyphs, notifies: stored.notifications ?? true });
  const vim: { -readonly [Part in keyof VimSwitch]: VimSwitch[Part] } = {
    isOn: stored.vim ?? false,
    state: insertMode,
  };
  let backend: ChatBackend | undefined;
  let chat: Chat | undefined;
  let hasBegun = false;
  let picker: Picker | undefined;
  let isHelpOpen = false;
  let early = '';
  let retriesWithModel = false;
  let isPanelOpen = true;
  let hint = '';
  let hintTimer: NodeJS.Timeout | undefined;
  let unsent: readonly string[] = [];
  let notifies = stored.notifications ?? true;
  const begun = () => (hasBegun ? chat : undefined);
  const project = () => printable(path.basename(begun()?.view.status?.cwd || options.cwd));

  const screen: Screen = {
    changed() {
      if (chat !== undefined && hasBegun) visited.look(chat.view.session);
      pace.soon();
      announce();
    },
    lists: {
      pickSession: (words) => pickers.sessions(words),
      showJobs: () => pickers.jobs(),
      pickModel: showModels,
      pickAgent: (current) => pickers.agents(current),
      pickMode: (current) => pickers.modes(current),
      showInbox: (requests) => pickers.inbox(requests),
      showChanges: (changes) => pickers.changes(changes),
      showText,
      pickRewind: (points, session) => pickers.rewind(points, session),
    },
    leave: () => left.resolve(undefined),
    copy: (text) => terminal.write(clipboardSequence(text, env)),
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
        scrollInfo: (text) => parts.paint().ink3(moreText(text)),
        noMatch: (text) => parts.paint().ink3(text),
      },
    },
    { paddingX: promptPadding, autocompleteMaxVisible: menuRows },
  );
  const focus = createCardFocus({
    question: () => chat?.question?.id ?? failures.id,
    isFree: () => editor.getText() === '' && chat?.entry.type === 'prompt' && picker === undefined && !isHelpOpen,
    now: () => performance.now(),
  });
  const requests = createRequests({
    chat: begun,
    focus,
    project,
    write: () => focus.toPrompt(),
    edit: (proposal) => editInEditor(tui, proposal, env),
    hint: (text) => showHint(text),
  });
  const failures = createFailures({
    chat: begun,
    focus: () => focus,
    provider: () => providerFacts(begun(), elsewhere.models),
    models: () => otherModels(begun()?.view.status?.model, elsewhere.models),
    switchModel({ retries }) {
      retriesWithModel = retries;
      showModels(chat?.view.status?.model);
    },
    show: showText,
  });
  const elsewhere = createWaitingElsewhere({ backend: () => backend, chat: begun, changed: screen.changed });
  const parts = createScreenParts({
    tui,
    drawSoon: pace.soon,
    editor,
    env,
    colors: () => theme.colors,
    glyphs,
    blocks,
    selected: () => blockSelection.selected,
    onCard: () => (failures.state === 'failed' ? failures.id : undefined),
    chat: begun,
    start: (look) =>
      startLines(
        {
          version: options.version,
          project: project(),
          branch: begun()?.branch,
          model: begun()?.view.status?.model ?? elsewhere.model?.id ?? '',
          folder: elsewhere.folder,
          recent: elsewhere.recent,
          total: elsewhere.total,
        },
        look,
      ),
    lower(look, linesBelow) {
      const { rows } = tui.terminal;
      const card = (room: number) => {
        const height = Math.min(cardHeight(rows), room);
        if (isHelpOpen) return keyHelpLines(look, helpFacts(), rows - helpSurroundings);
        return picker?.lines(look, height, room) ?? cardNow(look, height, room);
      };
      return lowerLines(
        {
          chat: begun(),
          editor: editor.parts(look.width),
          draft: editor.getText(),
          vimMode: vim.isOn ? vim.state.mode : undefined,
          selectedPrompt: queueSelector.selected,
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
      // A list that was closed without a choice sends nothing.
      if (next === undefined) setTimeout(() => (retriesWithModel = false), 0);
      tui.requestRender();
    },
    backend: () => backend,
    open: (session) => void chat?.open(session).catch(noteError),
    place: () => ({
      folder: begun()?.view.status?.cwd || options.cwd,
      current: begun()?.view.session,
      previous: visited.previous,
    }),
    command(line) {
      const retries = retriesWithModel;
      retriesWithModel = false;
      void chat?.submit(line).then(() => (retries && line.startsWith('/model ') ? chat?.retry() : undefined));
    },
    colorsOf: (name) => ({ ...theme.colors, name }),
    setTheme(name) {
      theme.choose(name);
      keep({ theme: name });
    },
    setDraft: (text) => editor.setText(text),
    history: () => recall.entries,
    say: (text) => chat?.note(text),
    changed: () => tui.requestRender(),
    onProblem: noteError,
  });

  const visited = createVisitedSessions(editor);
  const draft = createPromptDraft({
    editor,
    cwd: options.cwd,
    show: showText,
    hint: (text) => showHint(text),
    changed: () => tui.requestRender(),
  });
  const viewer = createBlockViewer({ chat: begun, look: () => parts.look(tui.terminal.columns) });
  const blockSelection = createBlockSelection({
    owners: parts.owners,
    blocks,
    reveal: parts.reveal,
    openLong(block) {
      const text = viewer.long(block);
      if (text !== undefined) pickers.text({ ...text, copy: () => copyBlock(block) });
      return text !== undefined;
    },
    copy: copyBlock,
  });
  const queueSelector = createQueueSelector({
    chat: begun,
    setDraft: (text) => editor.setText(text),
    onProblem: noteError,
  });
  const takers = [blockSelection, queueSelector];

  /** A session that names no model uses the first one. */
  function showModels(current: string | undefined): void {
    pickers.models(current ?? elsewhere.model?.id);
  }
  function showText(title: string, text: string): void {
    pickers.text({ title, lines: (look) => wrapped(printable(text), look.width) });
  }
  async function copySelection(selected: string): Promise<boolean> {
    const owners = parts.owners();
    const lines = parts.conversation().map((line, index) => ({ line, owner: owners[index] }));
    const sources = new Map(owners.map((owner) => [owner, owner === undefined ? '' : viewer.text(owner)]));
    const drawn = lines.map(({ line, owner }) => ({
      text: withoutStyles(line),
      source: sources.get(owner) ?? '',
    }));
    screen.copy?.(copiedText(withoutIsolates(selected), drawn));
    return true;
  }
  function copyBlock(block: string): void {
    screen.copy?.(viewer.text(block));
    showHint('Copied');
  }
  /** Title, bell and notification follow the session. */
  function announce(): void {
    const facts = attentionFacts(begun(), project(), Date.now());
    const written = facts === undefined ? '' : attention.look(facts);
    if (written !== '') tui.terminal.write(written);
  }
  function keep(settings: TerminalSettings): void {
    options.settings.change(settings).catch(noteError);
  }
  function runHere(command: ScreenCommand): void {
    switch (command) {
      case 'theme':
        return pickers.themes(theme.colors.name);
      case 'vim':
        vim.isOn = !vim.isOn;
        vim.state = insertMode;
        keep({ vim: vim.isOn });
        return showHint(`Vim keys ${vim.isOn ? 'on' : 'off'}`);
      case 'paste':
        return void draft.pastePicture().catch(noteError);
      case 'editor':
        return openEditor();
      case 'keys':
        return openHelp();
      case 'reconnect':
        if (backend?.link.isLost === true) return backend.link.retry?.();
        return showHint('The server is connected');
      case 'notifications': {
        notifies = !notifies;
        attention = createAttention({ env, glyphs, notifies });
        keep({ notifications: notifies });
        return showHint(`Notifications ${notifies ? 'on' : 'off'}`);
      }
    }
  }
  const helpFacts = () => ({
    file: options.settings.path.replace(env['HOME'] ?? '\n', '~'),
    terminal: terminalFacts(theme.colors.depth, env),
  });
  /** Any key closes it. On a small screen it scrolls instead, from its top. */
  function openHelp(): void {
    const { rows, columns } = tui.terminal;
    const look = parts.look(columns);
    if (keyHelpLines(look, helpFacts(), 0).length <= rows - helpSurroundings) isHelpOpen = true;
    else pickers.text({ title: 'Keys', lines: (inner) => keyHelpText(inner, helpFacts(), true) });
    tui.requestRender();
  }
  function openEditor(): void {
    editInEditor(tui, { name: 'prompt.md', text: draft.expanded() }, env).then(
      (text) => editor.setText(text.replace(/\n$/, '')),
      noteError,
    );
  }

  function lostLines(look: Look): readonly string[] {
    const { isLost, lostAt, unsent: waiting } = begun() ?? { isLost: false, lostAt: undefined, unsent: [] };
    if (!isLost || lostAt === undefined) return [];
    const server = serverName(backend?.server ?? '');
    const { nextTryAt, process: left } = backend?.link ?? {};
    return reconnectCard(
      { server, since: lostAt, process: left, unsent: waiting.length, nextTryAt, now: Date.now() },
      look,
    );
  }
  /** A request that takes keys is always in sight, also while the server is away. */
  function cardNow(look: Look, height: number, room: number): readonly string[] {
    const lost = lostLines(look);
    if (chat?.question !== undefined)
      return [...lost, ...requests.lines(look, height - lost.length, room - lost.length)];
    return lost.length > 0 ? lost : failures.lines(look);
  }
  function keysNow(): KeyState {
    if (isHelpOpen) return 'help';
    if (picker !== undefined) return picker.hints;
    if (editor.isShowingAutocomplete()) return editor.getText().startsWith('/') ? 'menu' : 'mention';
    const taker = takers.find(({ isActive }) => isActive);
    if (taker !== undefined) return taker.hints;
    const current = begun();
    const hasCardKeys = focus.place === 'card' || focus.place === 'soon';
    if (current?.isLost === true && !hasCardKeys) return 'lost';
    if (current?.entry.type === 'queued') return 'queue';
    if (current?.entry.type === 'reason' || current?.entry.type === 'answer') return 'writing';
    if (current?.question !== undefined) return requests.keys;
    if (failures.state !== undefined && hasCardKeys) return failures.state;
    if (current?.isWorking === true) return 'turn';
    return editor.getText() === '' ? 'idle' : 'typing';
  }
  function noteError(error: unknown): void {
    chat?.note((error as Error).message, 'error');
  }
  function remember(text: string): void {
    if (text.trim() === '') return;
    recall.add(text);
    history.add(text).catch(noteError);
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
  editor.setAutocompleteProvider(
    createCompletion({
      commands: () => chat?.commands,
      more: screenCommands,
      backend: () => backend,
      session: () => chat?.view.transcript.session,
      recent: () => recall.entries,
      keyOf: (command) => commandKey(command, keyMap.map),
    }),
  );
  editor.onSubmit = (text) => {
    const to = begun();
    if (to === undefined) {
      // Sent once the session is open, unless the user changes it until then.
      early = text;
      return editor.setText(text);
    }
    if (to.entry.type === 'prompt') remember(text);
    const own = screenCommandIn(text);
    if (own !== undefined) return runHere(own);
    tui.scrollToBottom();
    const { text: line, attachments } = draft.submitted(text);
    void to.submit(line, attachments);
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
        open: openHelp,
        close: () => (isHelpOpen = false),
      },
      onCard: (key) => (chat?.question === undefined ? failures.key(key) : requests.key(key)),
      card: () => (chat?.question === undefined ? failures.state : 'request'),
      takers,
      keys: () => keyMap.map,
      actions: {
        leave: screen.leave,
        suspend: suspension.suspend,
        redraw: () => tui.renderNow(true),
        blocks() {
          const asked = focus.place === 'card' || focus.place === 'soon' ? chat?.question : undefined;
          if (asked === undefined) blockSelection.begin();
          else pickers.text({ title: effectHeading(asked), lines: requests.full });
        },
        panel() {
          isPanelOpen = !isPanelOpen;
          blocks.toggleThoughts();
        },
        editor: openEditor,
        mode: () => void chat?.nextMode().then(showHint, noteError),
        sessions: () => pickers.sessions(''),
        requests() {
          if (chat?.question !== undefined && focus.place !== 'card') return focus.toggle();
          if (elsewhere.waiting === 0) showHint('Nothing else needs you');
          else void chat?.submit('/inbox');
        },
        model: () => showModels(chat?.view.status?.model),
        queue: queueSelector.begin,
        history: pickers.history,
        picture: () => void draft.pastePicture().catch(noteError),
      },
      vim,
      paste: draft.paste,
      openPasted: draft.openPasted,
      removeMark: draft.removeMark,
      firstTry: tries[0],
      steer() {
        const { text, attachments } = draft.submitted(editor.getExpandedText());
        remember(text);
        editor.setText('');
        void chat?.steer(text, attachments);
      },
      interrupt: () => void chat?.interrupt(),
      rewind: () => void chat?.submit('/rewind'),
      remember,
      hint: showHint,
      leave: screen.leave,
      onProblem: noteError,
    }),
  );
  const typed = () => [...(chat?.unsent ?? []), ...visited.drafts(), draft.expanded()];
  tui.start();
  tui.renderNow();
  theme.ask();
  const ticking = setInterval(() => {
    focus.look();
    const isMoving = chat?.isWorking === true || chat?.isLost === true;
    if (isMoving || chat?.question !== undefined || failures.state !== undefined) pace.soon();
    announce();
    if (hasBegun) options.drafts.keep(typed());
  }, tickMs);

  try {
    const opening = (async () => {
      for (const line of await history.load()) recall.add(line);
      const killed = await options.drafts.left();
      for (const text of killed) {
        recall.add(text);
        await history.add(text);
      }
      backend = await connect();
      chat = createChat(backend, screen);
      await begin(chat, backend);
      hasBegun = true;
      visited.look(chat.view.session);
      if (early !== '' && editor.getText() === early) {
        editor.setText('');
        editor.onSubmit?.(early);
      }
      elsewhere.begin();
      const offer = lineModeOffer(tui.terminal.rows);
      if (killed.length > 0) chat.note('The last chat here was killed. ↑ brings back what was typed.', 'warning');
      for (const words of [problem, ...keyMap.problems, offer])
        if (words !== undefined) chat.note(words, 'warning');
      tui.requestRender();
    })();
    await Promise.race([left.promise, opening.then(() => left.promise)]);
  } finally {
    clearInterval(ticking);
    pace.close();
    clearTimeout(hintTimer);
    elsewhere.close();
    suspension.stopListening();
    picker?.close();
    for (const text of [...visited.drafts(), draft.expanded()])
      if (text.trim() !== '') await history.add(text).catch(() => undefined);
    await options.drafts.end();
    unsent = chat?.unsent ?? [];
    chat?.close();
    await tui.terminal.drainInput(200, 20);
    // The normal screen gets the last answer, so that it stays in sight.
    const look = parts.look(tui.terminal.columns);
    const current = begun();
    const last = current === undefined ? [] : lastAnswer(current.view, look);
    tui.terminal.write(attention.end());
    tui.stop({ preserveScreen: true });
    for (const line of last) tui.terminal.write(`${line}\r\n`);
    guard.released();
  }
  const talked = begun();
  const spoken = talked?.hasHistory === true ? talked.view.session : undefined;
  return { session: spoken, isWorking: chat?.isWorking ?? false, unsent, backend };
}
