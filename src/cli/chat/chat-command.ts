/** `rondo chat`: talks to one agent at a time in this terminal, or line by line without a terminal. */
import type { ChatBackend } from '../../terminal/chat/chat-backend.ts';
import type { Chat } from '../../terminal/chat/chat.ts';
import { paintFirstFrame } from '../../terminal/screen/first-frame.ts';
import { createDraftFile } from '../../terminal/chat/draft-file.ts';
import { createHistoryFile } from '../../terminal/chat/history-file.ts';
import { createSettingsFile } from '../../terminal/chat/terminal-settings.ts';
import { exitCodeOf, outcomeOf } from '../../views/result.ts';
import { guardTerminal } from '../../terminal/screen/restore-terminal.ts';
import type { CliCommand } from '../command.ts';
import { homeFolder } from '../home.ts';
import { personOnly } from '../person-only.ts';
import { storeFlagOf } from '../store-flag.ts';
import { chatOptionTable, newestHere, parseChatOptions, type ChatCommandOptions } from './chat-options.ts';
import { optional } from '../../kernel/optional.ts';

export const chatCommand: CliCommand = {
  usage: ['chat [PROMPT] [options]', '[-c | --session ID]', 'chat --follow ID [--url URL]'],
  about: `Opens a chat with an agent. If a server runs on the same store, the server runs the session and browsers show it too.
Leaving never loses a session. Enter sends (during a turn: queues), Ctrl+S steers the running turn, Esc interrupts,
Ctrl+C clears, stops and then leaves, Shift+Tab changes the mode, ? shows all keys. Without a terminal, with --line,
TERM=dumb or RONDO_SCREEN_READER=1, each input line is one prompt, command or answer.`,
  options: chatOptionTable,
  async run(argv) {
    const options = parseChatOptions(argv);
    const { follow } = options;
    if (follow?.isJson !== true) personOnly('chat');
    if (follow?.isJson === true) {
      const [{ followJson }, { serverToFollow }] = await Promise.all([
        import('./follow-json.ts'),
        import('./connect-chat.ts'),
      ]);
      return followJson(follow.session, await serverToFollow(follow), follow.after);
    }
    const history = createHistoryFile(`${homeFolder()}/history`, options.cwd);
    const isFullScreen = process.stdin.isTTY && process.stdout.isTTY && !wantsLines(options, process.env);
    const connect = async () => (await import('./connect-chat.ts')).connectChat(options);
    const begin = (chat: Chat, backend: ChatBackend) => beginChat(options, chat, backend);
    const { rondoVersion } = await import('../../journal/rondo-version.ts');
    if (!isFullScreen) {
      const { runLineChat } = await import('../../terminal/lines/line-chat.ts');
      const print = (text: string) => void process.stdout.write(text);
      const { session, isAsked, ending, unsent } = await runLineChat({
        connect,
        begin,
        history,
        input: process.stdin,
        print,
        version: rondoVersion(),
        columns: () => (process.stdout.isTTY ? process.stdout.columns : undefined),
        follows: follow !== undefined,
      });
      for (const line of returnedLines(unsent, session, options)) console.error(line);
      if (session !== undefined) console.error(resumeLine(session, options));
      if (process.stdin.isTTY || follow !== undefined) return 0;
      return exitCodeOf(isAsked ? 'needs-input' : ending === undefined ? 'completed' : outcomeOf(ending));
    }
    using guard = guardTerminal();
    paintFirstFrame(process.stdout, process.stdin);
    const { runFullScreen } = await import('../../terminal/screen/full-screen.ts');
    const left = await runFullScreen({
      connect,
      begin,
      history,
      drafts: createDraftFile({ home: homeFolder(), folder: options.cwd }),
      settings: createSettingsFile(`${homeFolder()}/terminal.json`),
      guard,
      env: process.env,
      version: rondoVersion(),
      cwd: options.cwd,
      isAscii: options.isAscii,
      hasMouse: options.hasMouse,
      theme: options.theme,
    });
    for (const line of returnedLines(left.unsent, left.session, options)) console.log(line);
    if (left.session !== undefined) {
      const still = left.isWorking && left.backend?.server === undefined ? ' Its turn resumes then.' : '';
      console.log(`${resumeLine(left.session, options)}${still}`);
    }
    await left.backend?.[Symbol.asyncDispose]();
    return 0;
  },
};

/** Screen readers and simple terminals read lines better than a screen. */
function wantsLines({ isByLine }: ChatCommandOptions, env: NodeJS.ProcessEnv): boolean {
  return isByLine || env['TERM'] === 'dumb' || env['RONDO_SCREEN_READER'] === '1';
}

/** Returns prompts that never reached the server, with the command that sends them without one. */
function returnedLines(
  unsent: readonly string[],
  session: string | undefined,
  { store }: ChatCommandOptions,
): readonly string[] {
  return unsent.flatMap((text) => {
    const quoted = `'${text.replaceAll("'", "'\\''")}'`;
    const to = session === undefined ? '' : ` --session ${session}`;
    return [
      `Not sent, because the server didn't confirm it: ${text}`,
      `Send it with: rondo run${to}${storeFlagOf(store)} ${quoted}`,
    ];
  });
}

function resumeLine(session: string, { store }: ChatCommandOptions): string {
  return `Resume with: rondo --session ${session}${storeFlagOf(store)}`;
}

async function beginChat(options: ChatCommandOptions, chat: Chat, backend: ChatBackend): Promise<void> {
  const { session, agent, model, mode, prompt, cwd, picks } = options;
  const id = session === newestHere ? await newestIn(backend, cwd) : session;
  if (id === undefined) {
    const wanted = {
      ...optional({ agent, model, mode, worktree: options.worktree, repository: options.repository }),
    };
    await chat.create(wanted);
  } else {
    await chat.open(id);
    if (mode !== undefined) await chat.send({ type: 'mode', mode });
    if (agent !== undefined) await chat.switchTo(agent);
    if (model !== undefined) {
      await chat.send({ type: 'agent', agent: chat.view.status?.agent ?? '', model });
    }
  }
  if (session === newestHere && id === undefined) chat.note('No session in this folder yet. Starting a new one.');
  if (options.follow !== undefined) await chat.submit('/status');
  if (picks) await chat.submit('/sessions');
  if (prompt !== undefined) await chat.submit(prompt);
}

async function newestIn(backend: ChatBackend, cwd: string): Promise<string | undefined> {
  const entries = await backend.sessions({});
  return entries.find((entry) => entry.cwd === cwd && entry.parent === undefined && entry.state !== 'closed')
    ?.session;
}
