import { Fault } from '../kernel/fault.ts';
import { isBlobRef } from '../kernel/content.ts';
import type { Answer, QuestionSubject } from '../kernel/question.ts';
import { createAgentSessions, type AgentSessions } from '../session/agent-sessions.ts';
import type { ClientInput } from '../session/client-input.ts';
import { createSlashCommands } from '../protocol/slash-commands.ts';
import { standardSlashCommands } from '../protocol/standard-slash-commands.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import type { Chat, Entry, Screen } from './chat.ts';
import type { ChatBackend, ChatSession } from './chat-backend.ts';
import { chatCommands } from './chat-commands.ts';
import {
  chatViewWith,
  isWorking,
  newChatView,
  openQuestionsIn,
  withNote,
  withText,
  type ChatView,
  type Note,
} from './chat-view.ts';
import { answerFrom } from './line-answer.ts';
import { isEnded } from './worker-rows.ts';
import type { Theme } from './theme.ts';

/** As much of a long session as is drawn: enough for a few hundred turns. */
const mostEvents = 3000;
const askBelowEveryMs = 2000;

export function createChat(backend: ChatBackend, screen: Screen): Chat {
  let view: ChatView | undefined;
  let session: ChatSession | undefined;
  let agents: AgentSessions<ChatSession> | undefined;
  let theme: Theme = {};
  let branch: string | undefined;
  let entry: Entry = { type: 'prompt' };
  let clearedAt = 0;
  let following = new AbortController();
  let refreshing: Promise<void> | undefined;
  let isStale = false;
  let below: NodeJS.Timeout | undefined;
  const wanted = new Set<string>();
  const waiting = new Set<() => void>();

  const known = new Set([...Object.keys(chatCommands), ...backend.commands]);
  const commands = createSlashCommands(
    standardSlashCommands.filter(({ name }) => known.has(name)),
    { notHere: standardSlashCommands.map(({ name }) => name) },
  );

  function current(): { readonly session: ChatSession; readonly view: ChatView } {
    if (session === undefined || view === undefined) throw new Fault('closed', 'No session is open yet.');
    return { session, view };
  }
  function become(next: ChatView): void {
    view = next;
    screen.changed();
    for (const check of waiting) check();
  }
  function note(text: string, tone: Note['tone'] = 'plain'): void {
    if (view !== undefined) become(withNote(view, text, tone));
  }
  /** Whatever goes wrong with what a person asked for is said, and the chat goes on. */
  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      note((error as Error).message, 'error');
    }
  }

  /** One look at a time, and one more for all that happened meanwhile. */
  function refresh(): void {
    isStale = true;
    if (refreshing !== undefined || session === undefined) return;
    const looked = session;
    refreshing = (async () => {
      while (isStale && session === looked) {
        isStale = false;
        const status = await looked.status();
        if (session === looked && view !== undefined) become({ ...view, status });
        await lookBelow(looked);
      }
    })()
      .catch((error: unknown) => note(`Looking at the session failed: ${(error as Error).message}`, 'error'))
      .finally(() => {
        refreshing = undefined;
        if (isStale) refresh();
        for (const check of waiting) check();
      });
  }
  /** Questions of workers are in their own sessions; while there may be some they are looked for. */
  async function lookBelow(looked: ChatSession): Promise<void> {
    clearTimeout(below);
    const live = view?.workers.filter(({ state }) => !isEnded(state)) ?? [];
    if (live.length === 0 && view?.questionsBelow.length === 0) return;
    const questions = await backend.questionsBelow(
      looked.id,
      live.flatMap((worker) => worker.session ?? []),
    );
    if (session !== looked || view === undefined) return;
    become({ ...view, questionsBelow: questions });
    below = setTimeout(refresh, askBelowEveryMs);
    below.unref();
  }

  async function follow(followed: ChatSession, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { seq } = await followed.status();
      const notes: readonly Note[] = view?.notes ?? [];
      become({ ...newChatView(followed.id), ...(view?.status !== undefined && { status: view.status }), notes });
      for await (const update of followed.follow({ after: Math.max(0, seq - mostEvents), signal })) {
        if (signal.aborted) return;
        // The reader fell behind: it begins again.
        if (update.type === 'gap' || update.type === 'snapshot') break;
        if (view !== undefined) become(chatViewWith(view, update));
        if (update.type === 'event') refresh();
      }
    }
  }

  async function begin(next: ChatSession): Promise<void> {
    following.abort();
    following = new AbortController();
    const { signal } = following;
    entry = { type: 'prompt' };
    clearedAt = 0;
    session = next;
    const status = await next.status();
    [theme, branch] = await Promise.all([backend.theme(status.agent), backend.branch()]);
    view = { ...newChatView(next.id), status };
    become(view);
    follow(next, signal).catch((error: unknown) => {
      if (!signal.aborted) note(`Following the session failed: ${(error as Error).message}`, 'error');
    });
  }

  async function send(input: ClientInput): Promise<boolean> {
    const receipt = await current().session.send(input);
    if (receipt.type === 'refused') note(receipt.refusal.message, 'error');
    return receipt.type === 'accepted';
  }

  const question = () => (view === undefined ? undefined : openQuestionsIn(view)[0]);

  async function answerTo(asked: OpenQuestion, answer: Answer): Promise<void> {
    const receipt = await backend.answer(asked.id, answer);
    if (receipt.type === 'refused') note(receipt.refusal.message, 'warning');
    if (view !== undefined) {
      const questionsBelow = view.questionsBelow.filter(({ id }) => id !== asked.id);
      become({ ...view, questionsBelow });
    }
    refresh();
  }

  async function submitPrompt(line: string): Promise<void> {
    const decision = commands.decide(line);
    switch (decision.type) {
      case 'command': {
        const handler = chatCommands[decision.name];
        const shown =
          handler === undefined
            ? await backend.command(decision.name, decision.args, current().session.id)
            : await handler(decision.args, { chat, backend, screen });
        if (shown !== undefined && shown !== '') note(shown);
        return;
      }
      case 'missing-argument':
        return note(`/${decision.name} needs ${decision.parameter}: ${decision.usage}`, 'warning');
      case 'too-many-arguments':
        return note(`/${decision.name} was given too much: ${decision.usage}`, 'warning');
      case 'not-here':
        return note(
          `/${decision.name} is not there${backend.server === undefined ? ' yet' : ' over a server yet'}.`,
          'warning',
        );
      case 'unknown': {
        const near = decision.nearest === undefined ? '' : ` Did you mean /${decision.nearest}?`;
        return note(`There is no command /${decision.name}.${near} /help lists them.`, 'warning');
      }
      case 'no-command':
        break;
    }
    const asked = question();
    if (asked !== undefined && isAnsweredByLine(asked.about)) {
      const answer = answerFrom(asked.about, line.trim());
      return answer === undefined ? note('That is no JSON.', 'warning') : answerTo(asked, answer);
    }
    if (view?.status?.queue.paused === true) await send({ type: 'queue', change: { type: 'resumed' } });
    if (line.startsWith('!') && line.trim() !== '!') {
      await send({ type: 'task', command: 'shell', args: { command: line.slice(1).trim() } });
      return;
    }
    if (view?.status?.mode === 'tool-only') return sendTask(line);
    await send({ type: 'chat', text: line });
  }

  /** In a mode without a model a line is a tool and its arguments. */
  async function sendTask(line: string): Promise<void> {
    const [, command = '', args = ''] = /^\s*([\w-]+)\s*([\s\S]*)$/.exec(line) ?? [];
    try {
      await send({ type: 'task', command, args: args.trim() === '' ? {} : (JSON.parse(args) as unknown) });
    } catch {
      note('In this mode a line is a tool and its arguments, such as list {"path":"src"}.', 'warning');
    }
  }

  async function submit(line: string): Promise<void> {
    const was = entry;
    entry = { type: 'prompt' };
    switch (was.type) {
      case 'reason':
        return answerTo(
          was.question,
          line.trim() === '' ? { type: 'reject' } : { type: 'reject', reason: line.trim() },
        );
      case 'queued': {
        const { prompt } = was;
        const change =
          line.trim() === ''
            ? ({ type: 'removed', prompt } as const)
            : ({ type: 'edited', prompt, text: line } as const);
        await send({ type: 'queue', change });
        return;
      }
      case 'prompt':
        if (line.trim() !== '') return submitPrompt(line);
        if (view?.status?.queue.paused === true) await send({ type: 'queue', change: { type: 'resumed' } });
    }
  }

  const chat: Chat = {
    get view() {
      return current().view;
    },
    commands,
    get theme() {
      return theme;
    },
    get branch() {
      return branch;
    },
    get entry() {
      return entry;
    },
    get clearedAt() {
      return clearedAt;
    },
    get question() {
      return question();
    },
    get isWorking() {
      return view !== undefined && isWorking(view);
    },
    get hasHistory() {
      return (view?.transcript.items.length ?? 0) + (view?.transcript.waiting.length ?? 0) > 0;
    },
    async begin(first) {
      await begin(first);
      const { agent } = await first.status();
      agents = createAgentSessions(
        { ...backend, list: async ({ parent }) => ({ entries: await backend.sessions({ parent }) }) },
        { agent, session: first },
      );
    },
    submit: (line) => guarded(() => submit(line)),
    steer: (text) =>
      guarded(async () => {
        if (text.trim() !== '') await send({ type: 'chat', text, delivery: 'steer' });
      }),
    answer: (answer) =>
      guarded(async () => {
        const asked = question();
        if (asked === undefined) note('Nothing is asked at the moment.', 'warning');
        else await answerTo(asked, answer);
      }),
    giveReason() {
      const asked = question();
      if (asked !== undefined) entry = { type: 'reason', question: asked };
      screen.changed();
    },
    interrupt: () =>
      guarded(async () => {
        await send({ type: 'interrupt', reason: 'interrupted from the terminal' });
      }),
    async editQueued() {
      const prompts = view?.transcript.waiting.filter(({ request }) => request.type === 'chat') ?? [];
      const editing = entry.type === 'queued' ? entry.prompt : undefined;
      const at = prompts.findIndex(({ seq }) => seq === editing);
      const next = prompts.at(at <= 0 ? -1 : at - 1);
      if (next === undefined || next.request.type !== 'chat') return undefined;
      const text = await current().session.read(next.request.text);
      entry = { type: 'queued', prompt: next.seq };
      screen.changed();
      return text;
    },
    stopEditing() {
      entry = { type: 'prompt' };
      screen.changed();
    },
    async switchTo(agent) {
      if (agents === undefined) return;
      await begin(await agents.switchTo(agent));
    },
    async open(id) {
      await chat.begin(await backend.open(id));
    },
    async create(options = {}) {
      await chat.begin(await backend.create(options));
    },
    send,
    show(from) {
      clearedAt = from;
      screen.changed();
    },
    note,
    wantText(body) {
      if (!isBlobRef(body) || wanted.has(body.blob) || session === undefined) return;
      wanted.add(body.blob);
      const asked = session;
      asked
        .read(body)
        .then((text) => {
          if (session === asked && view !== undefined) become(withText(view, body.blob, text));
        })
        .catch(() => wanted.delete(body.blob));
    },
    settled: () =>
      new Promise((resolve) => {
        const check = () => {
          const { status, transcript } = view ?? {};
          if (status === undefined || transcript === undefined || refreshing !== undefined || isStale) return;
          const isAtRest = status.turn === undefined && (status.queue.prompts.length === 0 || status.queue.paused);
          const isAsked = status.lifecycle === 'waiting';
          if (status.seq !== transcript.seq || !(isAtRest || isAsked)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        refresh();
      }),
    close() {
      following.abort();
      clearTimeout(below);
    },
  };
  return chat;
}

/** Others are answered by a key, and a line is the next prompt. */
function isAnsweredByLine(about: QuestionSubject): boolean {
  return about.type === 'clarification' || (about.type === 'form' && about.url === undefined);
}
