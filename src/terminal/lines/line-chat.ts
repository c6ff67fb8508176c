/**
 * The same chat line by line, for pipes and limited terminals. Each line read is a prompt, a command or, while a
 * question is open, the answer. Output is printed as it comes. In a pipe, each line waits until everything before
 * it is done, so that a script behaves the same however fast it is read.
 */
import type { Ending } from '../../kernel/outcome.ts';
import type { Answer } from '../../kernel/question.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import type { Transcript } from '../../views/transcript.ts';
import type { ChatBackend } from '../chat/chat-backend.ts';
import type { Chat, Screen } from '../chat/chat.ts';
import { createChat } from '../chat/create-chat.ts';
import type { HistoryFile } from '../chat/history-file.ts';
import { readMs } from '../chat/card-state.ts';
import { createInterruptPolicy } from '../chat/interrupt-policy.ts';
import { answerFrom } from '../../commands/line-answer.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { presetNames } from '../../views/rule-preset.ts';
import type { CardChoice } from '../../wording/card-choices.ts';
import { shortModel } from '../../wording/short-model.ts';
import { durationText } from '../../wording/duration.ts';
import { isDangerous } from '../../wording/effect-heading.ts';
import { createLineLists } from './line-lists.ts';
import { createLinePrinter } from './line-printer.ts';
import { readLines, type LineInput, type ReadLine } from './read-lines.ts';
import { choiceIn } from './spoken-lines.ts';

export interface LineChatOptions {
  readonly connect: () => Promise<ChatBackend>;
  readonly begin: (chat: Chat, backend: ChatBackend) => Promise<void>;
  readonly history: HistoryFile;
  readonly input: LineInput;
  readonly print: (text: string) => void;
  readonly version: string;
  /** The terminal's width. Undefined if there is none. */
  readonly columns?: () => number | undefined;
  /** Whether others talk to the session too: a line is taken at once, and the end of a pipe doesn't end it. */
  readonly follows?: boolean;
}

export interface LineChatEnd {
  /** The last session, if it contains any conversation. */
  readonly session: string | undefined;
  /** True if the input ended with an open question, which nobody is left to answer. */
  readonly isAsked: boolean;
  /** How its last turn ended, if any did. */
  readonly ending: Ending | undefined;
  /** Lines that were read but never confirmed by the server. */
  readonly unsent: readonly string[];
}

const progressMs = 30_000;

export async function runLineChat({
  connect,
  begin,
  history,
  input,
  print,
  version,
  columns = () => undefined,
  follows = false,
}: LineChatOptions): Promise<LineChatEnd> {
  const isTerminal = input.isTTY === true;
  const left = Promise.withResolvers<undefined>();
  let isLeft = false;
  const leave = () => {
    isLeft = true;
    left.resolve(undefined);
    lines.close();
  };
  const printer = createLinePrinter(print, { isSpoken: isTerminal, self: () => backend.self, columns });
  /** What the next line means, if it isn't a prompt: the number of a listed row, a confirmation, a reason. */
  let expected: ((line: string) => Promise<void> | void) | undefined;

  const numbered = createLineLists({
    rondo: () => backend,
    chat: () => chat,
    print,
    expect: (take) => (expected = take),
    onProblem: (error) => noteError(error),
  });
  /** The printed question, and since when it can be read. */
  let shown: { readonly id: string; readonly at: number } | undefined;
  let looking: NodeJS.Timeout | undefined;
  const screen: Screen = {
    changed: () => {
      if (!hasBegun) return;
      printer.print(chat.view, chat.clearedAt);
      const { question } = chat;
      if (question?.id === shown?.id) return;
      shown = question && { id: question.id, at: performance.now() };
      clearTimeout(looking);
      if (shown !== undefined) looking = setTimeout(() => lines.lookAtBegun(), readMs);
    },
    leave,
    ...(isTerminal && { lists: numbered.lists }),
  };
  await using backend = await connect();
  const chat = createChat(backend, screen);
  const noteError = (error: unknown) => chat.note((error as Error).message, 'error');
  let hasBegun = false;

  /** On a terminal, a number or a letter chooses. */
  async function takeChoice(question: OpenQuestion, { does }: CardChoice): Promise<void> {
    if (does.type === 'write') return print('Type your answer.\n');
    if (does.type === 'reason') {
      print('Why not?\n');
      expected = (reason) =>
        chat.answer({ type: 'reject', ...(reason.trim() !== '' && { reason: reason.trim() }) });
      return;
    }
    // Lines list no equal requests, so no choice covers several.
    if (does.type === 'answer-alike') return;
    return give(question, does.answer);
  }

  /** On a terminal, what can't be undone asks for the word. */
  function give(question: OpenQuestion, answer: Answer): Promise<void> | void {
    if (!isTerminal || !isDangerous(question) || !answer.type.startsWith('allow')) return chat.answer(answer);
    print("It can't be undone. Type yes to run it.\n");
    expected = (line) => (line.trim().toLowerCase() === 'yes' ? chat.answer(answer) : print('Not answered.\n'));
  }

  /** On a terminal, a line that was typed or begun before the question could be read doesn't answer it. */
  function isEarly({ at, isBegunBefore }: ReadLine, question: OpenQuestion): boolean {
    return isTerminal && (isBegunBefore === true || shown?.id !== question.id || at - shown.at < readMs);
  }

  async function take(read: ReadLine): Promise<void> {
    const line = read.text;
    const meant = expected;
    expected = undefined;
    if (meant !== undefined) return meant(line);
    const { question } = chat;
    const choice =
      isTerminal && question !== undefined
        ? choiceIn(question, chat.view.status?.cwd.split('/').at(-1) ?? '', line)
        : undefined;
    if (question !== undefined && isEarly(read, question)) {
      if (choice !== undefined) return print('Not answered: typed before the question.\n');
      if (read.isBegunBefore === true) print('Begun before the question, so it is a prompt.\n');
      return chat.submit(line);
    }
    if (choice !== undefined && question !== undefined) return takeChoice(question, choice);
    const answer =
      question === undefined || line.startsWith('/') ? undefined : answerFrom(question.about, line.trim());
    // A person may have begun the line before the request appeared. So only a choice answers, and R takes a reason.
    const isSentence = isTerminal && answer?.type === 'reject' && answer.reason !== undefined;
    if (isSentence) {
      print('Not an answer, so it is a prompt. To deny with a reason, type r.\n');
      return chat.submit(line);
    }
    if (answer !== undefined && question !== undefined) return give(question, answer);
    if (question?.about.type === 'form' && !line.startsWith('/') && line.trim() !== '')
      return chat.note("That isn't valid JSON.", 'warning');
    await chat.submit(line);
  }

  async function greeting(): Promise<string> {
    const { status } = chat.view;
    const name = status?.model ?? (await backend.models().catch(() => []))[0]?.id;
    const branch = chat.branch === undefined ? '' : `, branch ${chat.branch}`;
    const model = name === undefined ? '' : ` Model ${shortModel(name)}.`;
    return `Rondo ${version}. ${status?.cwd.split('/').at(-1) ?? ''}${branch}.${model} Mode ${presetNames[chat.preset]}. Type /help for commands.\n`;
  }
  /** A screen reader has nothing that moves, so a long turn says that it still runs. */
  let toldAt = 0;
  const progress = setInterval(() => {
    const since = hasBegun && chat.question === undefined ? chat.view.status?.turn?.startedAt : undefined;
    const ms = since === undefined ? 0 : Date.now() - since;
    const count = Math.floor(ms / progressMs);
    if (count > toldAt && isTerminal) print(`still running: ${durationText(count * progressMs)}\n`);
    toldAt = count;
  }, 1000);
  progress.unref();

  const policy = createInterruptPolicy();
  const interrupt = () => {
    if (follows) return leave();
    switch (policy.press({ at: performance.now(), isWorking: chat.isWorking })) {
      case 'leave':
        return leave();
      case 'cancel':
        return void chat.interrupt();
      case 'warn':
      case 'clear':
        return print('\nPress Ctrl+C again to leave.\n');
    }
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', leave);
  const lines = readLines(input);
  try {
    await begin(chat, backend);
    hasBegun = true;
    if (isTerminal) print(`${await greeting()}\n`);
    screen.changed();
    const settled = () => (follows ? undefined : Promise.race([chat.settled(), left.promise]));
    const ask = () => {
      if (isTerminal && !isLeft)
        print(chat.question === undefined && expected === undefined ? 'you> ' : 'answer> ');
    };
    await settled();
    ask();
    for await (const line of lines) {
      if (isTerminal) history.add(line.text).catch(noteError);
      await Promise.race([take(line).then(() => numbered.printed()), left.promise]);
      if (isLeft) break;
      await settled();
      ask();
    }
    if (!isLeft) await (follows && !isTerminal ? left.promise : settled());
    printer.end();
    return {
      session: chat.hasHistory ? chat.view.session : undefined,
      isAsked: chat.question !== undefined,
      ending: lastEndingIn(chat.view.transcript),
      unsent: chat.unsent,
    };
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', leave);
    clearInterval(progress);
    clearTimeout(looking);
    lines.close();
    chat.close();
  }
}

function lastEndingIn({ items }: Transcript): Ending | undefined {
  const last = itemsBetween(items, 0, items.length).findLast((item) => item.type === 'ending');
  return last?.type === 'ending' ? last.ending : undefined;
}
