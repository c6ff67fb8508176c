/** `rondo inbox`: lists the open questions of all sessions, shows one in full, or answers them one by one. */
import { createInterface } from 'node:readline/promises';

import { answerQuestion } from '../../commands/answer-question.ts';
import { askAnswer } from './ask-answer.ts';
import { questionHeading } from '../../wording/question.ts';
import { reasonText } from '../../wording/reason.ts';
import { offeredChoices } from '../../wording/question-card.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { personOnly } from '../person-only.ts';
import { thisMachine } from '../../assembly/sessions/this-machine.ts';
import { strandedSessions } from '../../session/ownership/stranded-sessions.ts';
import { optional } from '../../kernel/optional.ts';
import { waitTexts } from '../../views/waits-for.ts';
import { oneLine } from '../../views/one-line.ts';
import { printJson } from '../print-json.ts';
import { storeFlagOf } from '../store-flag.ts';
import { terminalOf } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import { deliveredText, openQuestionId } from './answer-command.ts';
import { questionCardLines } from './question-card-lines.ts';
import { nextAfter } from './next-owner.ts';
import { storedClient } from './stored-client.ts';
import { keepListing } from './inbox-listing.ts';
import { inboxTable, inboxQuestionText } from './inbox-text.ts';
import { untilRead } from './until-read.ts';
import { waitingQuestions, type WaitingQuestion } from './waiting-questions.ts';
import { openStoredSessions, type StoredSessions } from './stored-sessions.ts';

const options = {
  interactive: { type: 'boolean', short: 'i', help: 'show and answer the questions one by one' },
  count: { type: 'boolean', help: 'only print the number of open questions' },
  ...storedOptions,
} as const;

export const inboxCommand: CliCommand = {
  usage: ['inbox [QUESTION]', 'inbox --interactive', 'inbox --count'],
  about: `Lists the open questions of all sessions, oldest first, with or without a running server. With QUESTION, an id
or a number of the list, it shows every part of the command or the diff, and the rule that each answer saves.
Answer from here with --interactive, or with \`rondo answer\`. Numbers stay valid at this terminal for ten
minutes, until another terminal lists the questions.

Exit codes: 0 nothing is open, 3 something is open.`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    const isInteractive = values.interactive === true;
    if ([isInteractive, values.count === true, words.length > 0].filter(Boolean).length > 1)
      throw usageError("QUESTION, --interactive and --count can't be combined");
    if (isInteractive) personOnly('inbox --interactive');
    if (isInteractive && (values.json === true || !process.stdin.isTTY))
      throw usageError('--interactive needs a terminal and no --json; use `rondo answer`');
    await using stored = await openStoredSessions(values);
    const storeFlag = storeFlagOf(values.store);
    const [given] = words;
    const all = stored === undefined ? [] : await waitingQuestions(stored);
    const id = given === undefined ? undefined : await openQuestionId(stored, given);
    const asked = id === undefined ? all : all.filter(({ question }) => question.id === id);
    const stranded = stored === undefined || id !== undefined ? [] : await strandedIn(stored);
    const open = asked.length + stranded.length;
    if (values.count === true) console.log(values.json === true ? JSON.stringify({ open }) : open);
    else if (values.json === true) {
      const questions = await Promise.all(asked.map((each) => asJson(stored, each)));
      const waitingForMachine = stranded.filter(({ machine }) => machine !== undefined);
      const waitingForLabels = stranded.filter(({ labels }) => labels.length > 0);
      printJson({
        questions,
        ...(waitingForMachine.length > 0 && { waitingForMachine }),
        ...(waitingForLabels.length > 0 && { waitingForLabels }),
      });
    } else if (isInteractive && stored !== undefined) return await answerInTurn(stored, storeFlag);
    else if (given === undefined) await list(asked, stranded);
    else {
      const name = /^\d+$/.test(given) ? given : undefined;
      for (const each of asked)
        console.log(await waitingText(stored, each, { answerBy: 'command', storeFlag, name }));
    }
    if (given !== undefined && asked.length === 0) throw usageError(`${id} isn't open any more`);
    return open === 0 ? 0 : 3;
  },
};

type Stranded = Awaited<ReturnType<typeof strandedIn>>[number];

/** Sessions that wait for a machine or for labels. Here too a person decides: wait, continue elsewhere, or fork. */
async function strandedIn({ store, load }: StoredSessions) {
  if (store.isShared !== true) return [];
  const stranded = await strandedSessions(store, thisMachine(), Date.now());
  return await Promise.all(
    stranded.map(async ({ session, machine, labels }) => {
      const { title, cwd, machine: name = machine } = (await load(session)).state;
      const shown = { session, title: oneLine(title ?? '(no title)'), cwd };
      return { ...shown, ...(machine !== undefined && optional({ machine: name })), labels };
    }),
  );
}

async function list(asked: readonly WaitingQuestion[], stranded: readonly Stranded[]): Promise<void> {
  const terminal = terminalOf(process.stdout);
  for (const { session, title, machine, labels } of stranded) {
    const wait = { ...optional({ goneMachine: machine }), missingLabels: labels };
    console.log(`${terminal.paint.strong(title)}  ${waitTexts(wait, session).join(' ')}\n`);
  }
  if (asked.length === 0) {
    if (stranded.length === 0 && terminal.isTerminal) console.log('No open questions');
    return;
  }
  await keepListing(asked.map(({ question }) => question.id));
  console.log(inboxTable(asked, terminal, Date.now()));
}

async function waitingText(
  stored: StoredSessions | undefined,
  waiting: WaitingQuestion,
  how: Pick<Parameters<typeof inboxQuestionText>[1], 'answerBy' | 'storeFlag' | 'name'>,
): Promise<string> {
  const read: StoredSessions['read'] = async (body) => (await stored?.read(body)) ?? '';
  const terminal = terminalOf(process.stdout);
  return await inboxQuestionText(waiting, { read, terminal, env: process.env, now: Date.now(), ...how });
}

async function asJson(stored: StoredSessions | undefined, waiting: WaitingQuestion) {
  const { question, state, title, cwd } = waiting;
  const read = async (body: Parameters<StoredSessions['read']>[0]) => (await stored?.read(body)) ?? '';
  const { paint } = terminalOf({});
  const lines = await questionCardLines(question, { read, cwd, paint, answerBy: 'command' });
  const choices = offeredChoices(question).map(({ answer, label, effect }) => ({ answer, label, effect }));
  const about =
    'reason' in question.about ? { ...question.about, reason: reasonText(question.about.reason) } : question.about;
  return { ...question, about, session: state.id, title, cwd, heading: questionHeading(question), lines, choices };
}

/** Shows one card at a time. A question that opens in between comes last. */
async function answerInTurn(stored: StoredSessions, storeFlag: string): Promise<number> {
  const seen = new Set<string>();
  let answered = 0;
  for (;;) {
    const waiting = await waitingQuestions(stored);
    const next = waiting.find(({ question }) => !seen.has(question.id));
    if (next === undefined) break;
    seen.add(next.question.id);
    console.log(`\n${await waitingText(stored, next, { answerBy: 'key' })}`);
    await untilRead();
    const asked = async (prompt: string) => {
      const line = await ask(prompt);
      return line === 'q' ? undefined : line;
    };
    const answer = await askAnswer(next.question, asked, { hint: ' Enter skips, q leaves:' });
    if (answer === undefined) break;
    if (answer === 'skipped') continue;
    const { state, question } = next;
    await using client = storedClient(stored, state.id);
    const given = await answerQuestion(client, question.id, () => answer);
    if (given.type === 'refused') {
      console.log(given.message);
      continue;
    }
    answered += 1;
    const after = await nextAfter(stored.store, state, storeFlag);
    console.log(deliveredText(client.route(), { question, answer, next: after }));
  }
  const open = (await waitingQuestions(stored)).length;
  console.log(`\n${answered} answered, ${open} open`);
  return open === 0 ? 0 : 3;
}

/** Undefined if the input ended or was interrupted. */
async function ask(prompt: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<undefined>((resolve) => {
    lines.once('close', () => resolve(undefined));
    lines.once('SIGINT', () => lines.close());
  });
  try {
    return await Promise.race([lines.question(prompt).then((line) => line.trim()), closed]);
  } finally {
    lines.close();
  }
}
