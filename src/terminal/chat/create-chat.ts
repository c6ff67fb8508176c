import { answerFrom } from '../../commands/line-answer.ts';
import { commandsOf, runSlashCommand } from '../../commands/run-command.ts';
import { printable } from '../../views/printable.ts';
import type { Attachment } from '../../kernel/content.ts';
import type { Answer } from '../../kernel/question.ts';
import { createAgentSessions, type AgentSessions } from '../../session/handle/agent-sessions.ts';
import type { ClientInput } from '../../ports/client-input.ts';
import type { Receipt } from '../../ports/receipt.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import { capital } from '../../wording/capital.ts';
import { counted } from '../../wording/counted.ts';
import { durationText } from '../../wording/duration.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import { presetAfter, presetChange, presetNames, presetOf, type Preset } from '../../views/rule-preset.ts';
import type { ChatBackend } from './chat-backend.ts';
import { isWorking, openQuestionsIn } from './chat-view.ts';
import { stoppedHere, type Chat, type Entry, type Screen } from './chat.ts';
import { createOwnCommands } from './own-commands.ts';
import { readPermissions } from '../../commands/read-permissions.ts';
import { presetIn } from './mode-choices.ts';
import { showResult } from './show-result.ts';
import { submitLine } from './submit-line.ts';
import type { Theme } from '../theme.ts';
import { watchSession } from './watch-session.ts';

const needsSandbox = 'Auto needs the sandbox: rondo doctor';

export function createChat(backend: ChatBackend, screen: Screen): Chat {
  let agents: AgentSessions<SessionClient> | undefined;
  let theme: Theme = {};
  let branch: string | undefined;
  let entry: Entry = { type: 'prompt' };
  let clearedAt = 0;
  const own = createOwnCommands();
  const watched = watchSession(() => {
    applyWanted();
    const typed = watched.view === undefined ? undefined : own.toAnswer(watched.view);
    if (typed !== undefined) void guarded(() => answerTo(typed, { type: 'allow-once' }));
    screen.changed();
  });
  /** Messages for all places name the session. Here it is the one on the screen. */
  const note: Chat['note'] = (text, tone) => {
    const id = watched.view?.session ?? '';
    const own = text.replaceAll(/(?<!-)\bsession (ses_\w+)/g, (whole, named) =>
      named === id ? 'this session' : whole,
    );
    watched.note(own === text ? text : capital(own), tone);
  };
  let lostAt: number | undefined;
  /** The last event that was seen before the server was lost. */
  let lostAfter: { readonly session: string; readonly seq: number } | undefined;
  backend.link.watch(() => {
    const { isLost } = backend.link;
    if (isLost && lostAt === undefined) {
      lostAt = Date.now();
      const { session, transcript } = watched.view ?? {};
      lostAfter = session && transcript && { session, seq: transcript.seq };
    } else if (!isLost && lostAt !== undefined) {
      const away = durationText(Date.now() - lostAt);
      lostAt = undefined;
      void missedEvents().then((missed) =>
        note(`Reconnected after ${away}${missed === 0 ? '' : `, ${counted(missed, 'event')}`}.`),
      );
    }
    screen.changed();
  });

  /** How many events the open session has that weren't seen before the server was lost. */
  async function missedEvents(): Promise<number> {
    const after = lostAfter;
    if (after === undefined || watched.view?.session !== after.session) return 0;
    // The line is worth more than its count.
    const status = await watched
      .current()
      .session.status()
      .catch(() => undefined);
    return Math.max(0, (status?.seq ?? 0) - after.seq);
  }

  const commands = commandsOf('screen');

  /** Shows an error of the user's action as text, and the chat continues. */
  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      note((error as Error).message, 'error');
    }
  }

  async function begin(next: SessionClient): Promise<void> {
    entry = { type: 'prompt' };
    clearedAt = 0;
    wanted = undefined;
    befores.clear();
    const status = await next.status();
    const [own, named] = await Promise.all([backend.theme(status.agent), backend.branch(status.cwd)]);
    theme = own;
    branch = named === undefined ? undefined : printable(named);
    watched.begin(next, status);
  }

  /** The preset that a session gets once it is stored. */
  let wanted: Preset | undefined;
  const befores = new Map<string, string | undefined>();

  async function setPreset(preset: Preset): Promise<void> {
    const { session, view } = watched.current();
    const rules = view.rules ?? (await readPermissions(session)).rules;
    wanted = rules === undefined ? preset : undefined;
    if (rules !== undefined) await send({ type: 'rules', ...presetChange(preset) });
    screen.changed();
  }

  /** Returns why it can't be chosen. */
  async function choosePreset(preset: Preset): Promise<string | undefined> {
    if (preset === 'auto' && !(await backend.hasSandbox())) return needsSandbox;
    const { mode } = watched.current().view.status ?? {};
    if (mode !== 'interactive') await send({ type: 'mode', mode: 'interactive' });
    await setPreset(preset);
    return undefined;
  }

  /** A new session has no rules to change before its first prompt. */
  function applyWanted(): void {
    if (wanted === undefined || watched.view?.rules === undefined) return;
    const preset = wanted;
    wanted = undefined;
    void guarded(() => setPreset(preset));
  }

  const presetNow = (): Preset => wanted ?? presetOf(watched.view?.rules ?? []);

  function fileBefore(question: OpenQuestion): string | undefined {
    if (!befores.has(question.id)) {
      befores.set(question.id, undefined);
      backend
        .fileBefore(question, watched.view?.status?.cwd ?? '')
        .then((content) => {
          befores.set(question.id, content);
          screen.changed();
        })
        // Without the file, the card shows the call's own text.
        .catch(() => undefined);
    }
    return befores.get(question.id);
  }

  const unsent = new Set<{ readonly text: string }>();

  async function send(input: ClientInput): Promise<boolean> {
    return (await deliver(input)).type === 'accepted';
  }

  async function deliver(input: ClientInput): Promise<Receipt> {
    const text = typedIn(input);
    const sending = { text: text ?? '' };
    if (text !== undefined) unsent.add(sending);
    if (backend.link.isLost) screen.changed();
    try {
      const receipt = await watched.current().session.send(input);
      const returned = text === undefined ? '' : ` Not sent: ${text}`;
      if (receipt.type === 'refused') note(`${receipt.refusal.message}${returned}`, 'error');
      return receipt;
    } finally {
      unsent.delete(sending);
    }
  }

  const question = () => (watched.view === undefined ? undefined : openQuestionsIn(watched.view)[0]);

  async function answerTo(asked: OpenQuestion, answer: Answer): Promise<void> {
    const receipt = await watched.current().session.answer(asked.id, answer);
    if (receipt.type === 'refused') note(receipt.refusal.message, 'warning');
    watched.answered(asked.id);
  }

  async function command(line: string): Promise<boolean> {
    const { session, view } = watched.current();
    // A screen lists the agents; scripts get the name.
    if (/^\/agent\s*$/i.test(line) && screen.lists !== undefined) {
      screen.lists.pickAgent(view.status?.agent ?? '');
      return true;
    }
    const switchAgent = (agent: string) => chat.switchTo(agent);
    const preset = presetIn(line);
    if (preset !== undefined) {
      const problem = await choosePreset(preset);
      if (problem !== undefined) note(problem, 'warning');
      return true;
    }
    const result = await runSlashCommand(line, {
      rondo: backend,
      session,
      commands,
      save: backend.save,
      switchAgent,
    });
    if (result !== undefined)
      await showResult(result, { chat, screen, session, line, answered: watched.answered });
    return result !== undefined;
  }

  async function shell(typed: string): Promise<void> {
    const line = own.typed(typed);
    if (line === undefined) return note('No command to repeat yet.', 'warning');
    const receipt = await deliver({ type: 'task', command: 'shell', args: { command: line } });
    if (receipt.type === 'accepted') own.sent(receipt.seq);
  }

  const queued = () => watched.view?.transcript.waiting.filter(({ request }) => request.type === 'chat') ?? [];

  const lineParts = { view: () => watched.view, command, send, shell };

  async function submit(line: string, attachments: readonly Attachment[]): Promise<void> {
    const was = entry;
    entry = { type: 'prompt' };
    switch (was.type) {
      case 'reason':
        return answerTo(
          was.question,
          line.trim() === '' ? { type: 'reject' } : { type: 'reject', reason: line.trim() },
        );
      case 'answer': {
        const answer = answerFrom(was.question.about, line.trim());
        if (answer !== undefined) return answerTo(was.question, answer);
        return note("That isn't valid JSON.", 'warning');
      }
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
        if (line.trim() !== '') return submitLine({ line, attachments }, lineParts);
        if (watched.view?.status?.queue.paused === true)
          await send({ type: 'queue', change: { type: 'resumed' } });
    }
  }

  const chat: Chat = {
    get view() {
      return watched.current().view;
    },
    get self() {
      return backend.self;
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
      return watched.view !== undefined && isWorking(watched.view);
    },
    get isLost() {
      return backend.link.isLost;
    },
    get lostAt() {
      return lostAt;
    },
    get unsent() {
      return [...unsent].map(({ text }) => text);
    },
    get hasHistory() {
      return (watched.view?.transcript.items.length ?? 0) + (watched.view?.transcript.waiting.length ?? 0) > 0;
    },
    async begin(first) {
      await begin(first);
      const { agent } = await first.status();
      agents = createAgentSessions(
        { ...backend, list: async ({ parent }) => ({ entries: await backend.sessions({ parent }) }) },
        { agent, session: first },
      );
    },
    submit: (line, attachments = []) => guarded(() => submit(line, attachments)),
    steer: (text, attachments = []) =>
      guarded(async () => {
        if (text.trim() !== '') await send({ type: 'chat', text, delivery: 'steer', ...attached(attachments) });
      }),
    answer: (answer) =>
      guarded(async () => {
        const asked = question();
        if (asked === undefined) note('No open question.', 'warning');
        else await answerTo(asked, answer);
      }),
    answerFor: (asked, answer) => guarded(() => answerTo(asked, answer)),
    wholeText: (body) => watched.current().session.read(body),
    allowAll: (questions) =>
      guarded(async () => {
        for (const asked of questions) await answerTo(asked, { type: 'allow-once' });
      }),
    giveReason() {
      const asked = question();
      if (asked !== undefined) entry = { type: 'reason', question: asked };
      screen.changed();
    },
    writeAnswer() {
      const asked = question();
      if (asked !== undefined) entry = { type: 'answer', question: asked };
      screen.changed();
    },
    interrupt: () =>
      guarded(async () => {
        await send({ type: 'interrupt', reason: stoppedHere });
      }),
    retry: () =>
      guarded(async () => {
        const { items } = watched.current().view.transcript;
        const prompt = itemsBetween(items, 0, items.length).findLast((item) => item.type === 'prompt');
        if (prompt?.type !== 'prompt' || prompt.asked.type !== 'chat')
          return note('No prompt to send again.', 'warning');
        const { text, attachments = [] } = prompt.asked;
        const whole = await watched.current().session.read(text);
        await send({ type: 'chat', text: whole, ...attached(attachments) });
      }),
    async editQueued(wantedPrompt) {
      const prompts = queued();
      const editing = entry.type === 'queued' ? entry.prompt : undefined;
      const at = prompts.findIndex(({ seq }) => seq === editing);
      const next =
        wantedPrompt === undefined
          ? prompts.at(at <= 0 ? -1 : at - 1)
          : prompts.find(({ seq }) => seq === wantedPrompt);
      if (next === undefined || next.request.type !== 'chat') return undefined;
      const text = await watched.current().session.read(next.request.text);
      entry = { type: 'queued', prompt: next.seq };
      screen.changed();
      return text;
    },
    steerQueued: (prompt) =>
      guarded(async () => {
        const found = queued().find(({ seq }) => seq === prompt);
        if (found?.request.type !== 'chat') return;
        const { text, attachments = [] } = found.request;
        const whole = await watched.current().session.read(text);
        // Removed only once the turn has it, so that it can't get lost between the two.
        if (await send({ type: 'chat', text: whole, delivery: 'steer', ...attached(attachments) }))
          await send({ type: 'queue', change: { type: 'removed', prompt } });
      }),
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
    wantText: watched.wantText,
    fileBefore,
    get preset() {
      return presetNow();
    },
    async nextMode() {
      const hasSandbox = await backend.hasSandbox();
      const before = presetNow();
      const preset = presetAfter(before, { hasSandbox });
      await setPreset(preset);
      const isSkipped = before === 'accept-edits' && !hasSandbox;
      return isSkipped ? needsSandbox : `Mode: ${presetNames[preset]}`;
    },
    settled: watched.settled,
    close: watched.close,
  };
  return chat;
}

function attached(attachments: readonly Attachment[]): { readonly attachments?: readonly Attachment[] } {
  return attachments.length === 0 ? {} : { attachments };
}

/** The typed text of an input, if it has one. */
function typedIn(input: ClientInput): string | undefined {
  if (input.type === 'chat') return typeof input.text === 'string' ? input.text : undefined;
  if (input.type !== 'task' || input.command !== 'shell') return undefined;
  const { command } = (input.args ?? {}) as { readonly command?: string };
  return command === undefined ? undefined : `!${command}`;
}
