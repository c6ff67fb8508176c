/**
 * The chat on a terminal: the conversation, the current activity, the editor and the status line. It draws the
 * chat's view and maps keys to the chat's actions. It makes no decisions.
 */
import { Editor, ProcessTerminal, TuiAltScreen } from '@earendil-works/pi-tui';

import type { ChatBackend } from '../chat/chat-backend.ts';
import { createChatKeys } from '../chat/chat-keys.ts';
import type { Chat, Screen } from '../chat/chat.ts';
import { createCompletion } from '../chat/completion.ts';
import { createChat } from '../chat/create-chat.ts';
import type { HistoryFile } from '../chat/history-file.ts';
import { createOpenedBlocks } from '../chat/opened-blocks.ts';
import { createOverlays } from './overlays.ts';
import { createQuestionFocus } from '../chat/question-focus.ts';
import type { TerminalGuard } from './restore-terminal.ts';
import { createScreenParts } from './screen-parts.ts';
import { colourDepthOf } from '../theme.ts';

export interface FullScreenOptions {
  readonly connect: () => Promise<ChatBackend>;
  /** Opens the chat's first session. */
  readonly begin: (chat: Chat, backend: ChatBackend) => Promise<void>;
  readonly history: HistoryFile;
  readonly guard: TerminalGuard;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Left {
  /** The last session, if it contains any conversation. */
  readonly session: string | undefined;
  readonly isWorking: boolean;
  /** Typed lines that the server never confirmed. */
  readonly unsent: readonly string[];
  readonly backend: ChatBackend | undefined;
}

const tickMs = 100;

export async function runFullScreen({ connect, begin, history, guard, env }: FullScreenOptions): Promise<Left> {
  const tui = new TuiAltScreen(new ProcessTerminal(), true);
  const left = Promise.withResolvers<undefined>();
  const blocks = createOpenedBlocks();
  let backend: ChatBackend | undefined;
  let chat: Chat | undefined;
  let hasBegun = false;
  let isLeaving = false;
  let unsent: readonly string[] = [];
  const begun = () => (hasBegun ? chat : undefined);

  const screen: Screen = {
    changed: () => tui.requestRender(),
    lists: {
      pickSession: (words) => overlays.pickSession(words),
      showJobs: () => overlays.showJobs(),
    },
    leave: () => left.resolve(undefined),
  };
  guard.onSignal(screen.leave);
  const editor = new Editor(
    tui,
    {
      borderColor: (text) => parts.paint().quiet(text),
      selectList: {
        selectedPrefix: (text) => parts.paint().accent(text),
        selectedText: (text) => parts.paint().strong(text),
        description: (text) => parts.paint().quiet(text),
        scrollInfo: (text) => parts.paint().quiet(text),
        noMatch: (text) => parts.paint().quiet(text),
      },
    },
    { paddingX: 2, autocompleteMaxVisible: 8 },
  );
  const focus = createQuestionFocus({
    question: () => chat?.question?.id,
    isFree: () => editor.getText() === '' && chat?.entry.type === 'prompt',
  });
  const parts = createScreenParts({
    tui,
    editor,
    depth: colourDepthOf(env),
    blocks,
    chat: begun,
    server: () => backend?.server,
    keys: () => focus.keys(),
    isLeaving: () => isLeaving,
  });
  const overlays = createOverlays({
    tui,
    paint: () => parts.paint(),
    sessions: async (q) => (await backend?.sessions(q === '' ? {} : { q })) ?? [],
    open: (session) => void chat?.open(session).catch(told),
    jobs: async () => (await backend?.jobs()) ?? [],
    async cancelJob(job) {
      const cancel = await backend?.cancelJob(job);
      chat?.note(cancel?.type === 'refused' ? cancel.message : `Cancelling job ${job}.`);
    },
    onProblem: told,
  });
  function told(error: unknown): void {
    chat?.note((error as Error).message, 'error');
  }
  function remember(text: string): void {
    if (text.trim() === '') return;
    editor.addToHistory(text);
    history.add(text).catch(told);
  }

  tui.setLayoutRoot(parts.root);
  tui.setFocus(editor);
  editor.setAutocompleteProvider(createCompletion({ commands: () => chat?.commands, backend: () => backend }));
  editor.onSubmit = (text) => {
    const to = begun();
    if (to === undefined) return editor.setText(text);
    if (to.entry.type === 'prompt') remember(text);
    void to.submit(text);
  };
  tui.addInputListener(
    createChatKeys({
      tui,
      editor,
      history,
      focus,
      chat: begun,
      isWorking: () => chat?.isWorking ?? false,
      interrupt: () => void chat?.interrupt(),
      toggleBlocks() {
        const newest = parts.owners().filter((owner) => owner !== undefined);
        blocks.toggleAll(newest.slice(-400));
        tui.requestRender();
      },
      toggleThoughts() {
        blocks.toggleThoughts();
        tui.requestRender();
      },
      remember,
      leave: screen.leave,
      onProblem: told,
    }),
  );
  tui.start();
  tui.renderNow();
  const ticking = setInterval(() => {
    focus.saw();
    if (chat?.isWorking === true || chat?.question !== undefined) tui.requestRender();
  }, tickMs);

  try {
    const opening = (async () => {
      for (const line of await history.load()) editor.addToHistory(line);
      backend = await connect();
      chat = createChat(backend, screen);
      await begin(chat, backend);
      hasBegun = true;
      tui.requestRender();
    })();
    await Promise.race([left.promise, opening.then(() => left.promise)]);
  } finally {
    clearInterval(ticking);
    isLeaving = true;
    unsent = chat?.unsent ?? [];
    chat?.close();
    await tui.terminal.drainInput(200, 20);
    // Leave the conversation in the terminal's scrollback, without the surrounding screen.
    tui.setLayoutRoot(parts.conversation);
    tui.stop(hasBegun ? {} : { preserveScreen: true });
    guard.released();
  }
  const talked = begun();
  const spoken = talked?.hasHistory === true ? talked.view.session : undefined;
  return { session: spoken, isWorking: chat?.isWorking ?? false, unsent, backend };
}
