import { answerQuestion } from '../../commands/answer-question.ts';
import { Fault } from '../../kernel/fault.ts';
import { sessionOfQuestion, type QuestionId, type SessionId } from '../../kernel/ids.ts';
import { isFittingAnswer, type Answer, type ClosedQuestion } from '../../kernel/question.ts';
import type { State } from '../../kernel/state.ts';
import { openQuestionsOf, type OpenQuestion } from '../../views/open-question.ts';
import { namedPart } from '../../views/covering-rule.ts';
import { nameFor } from '../../wording/viewer.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { effectHeading, isDangerous } from '../../wording/effect-heading.ts';
import { undoFlag } from '../../wording/question-card.ts';
import { choicesOf } from '../../wording/question-choices.ts';
import { fittingAnswers, questionHeading } from '../../wording/question.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { personOnly } from '../person-only.ts';
import { storeFlagOf } from '../store-flag.ts';
import { terminalActor } from '../terminal-actor.ts';
import { terminalOf } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import { answerFromWords, choices } from './answer-words.ts';
import { questionCardLines } from './question-card-lines.ts';
import { nextAfter, type NextOwner } from './next-owner.ts';
import { numberedQuestion } from './inbox-listing.ts';
import { storedClient, type InputRoute } from './stored-client.ts';
import { openStoredSessions, type StoredSessions } from './stored-sessions.ts';

const options = {
  option: { type: 'string', value: 'TEXT', help: 'choose one of the options' },
  text: { type: 'string', value: 'TEXT', help: 'answer in your own words' },
  form: { type: 'string', value: 'JSON', help: 'fill in the form' },
  edited: { type: 'string', value: 'JSON', help: 'allow once, with these arguments instead' },
  'yes-delete': { type: 'boolean', help: "confirm what can't be undone" },
  'yes-push': { type: 'boolean', help: 'confirm what sends data to others' },
  ...storedOptions,
} as const;

export const answerCommand: CliCommand = {
  usage: [
    `answer QUESTION ${choices.join('|')} [REASON]`,
    'answer QUESTION --option X | --text T | --form JSON | --edited JSON',
  ],
  about: `Answers an open question. If no process runs its session, the answer applies on resume. The first answer wins.
QUESTION is an id, the beginning of one, or its number in this terminal's last \`rondo inbox\`, if no other
terminal listed them since. Without an answer the command shows the question: every part of the command or the diff,
and the rule that each answer saves.
Short forms: allow, session, always, deny.`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 3 });
    personOnly('answer');
    const [given, choice, reason] = words;
    if (given === undefined) throw usageError('which question? `rondo inbox` lists them');
    const isBare = [choice, values.option, values.text, values.form, values.edited].every(
      (word) => word === undefined,
    );
    const answer = isBare ? undefined : answerFromWords({ choice, reason, ...values });
    await using stored = await openStoredSessions(values);
    const id = await openQuestionId(stored, given);
    if (stored === undefined) throw noQuestion(given);
    const session = sessionOfQuestion(id);
    const { state } = await stored.load(session);
    const question = openQuestionsOf(state).find((open) => open.id === id);
    if (question === undefined) return tellClosed(state, id);
    const storeFlag = storeFlagOf(values.store);
    if (answer === undefined) {
      const { paint } = terminalOf(process.stderr);
      const place = { read: stored.read, cwd: state.cwd, paint, answerBy: 'command', storeFlag } as const;
      throw usageError(`${id} needs an answer.\n${(await questionCardLines(question, place)).join('\n')}`);
    }
    if (!isFittingAnswer(question.about, answer)) {
      throw usageError(`${id} takes ${fittingAnswers(question.about)}, not ${answer.type}`);
    }
    const unconfirmed = unconfirmedText(question, answer, {
      'yes-delete': values['yes-delete'] === true,
      'yes-push': values['yes-push'] === true,
    });
    if (unconfirmed !== undefined)
      throw usageError(`${unconfirmed} Repeat with the flag, or deny: rondo answer ${given} deny`);
    await using client = storedClient(stored, session);
    const result = await answerQuestion(client, id, () => answer);
    if (result.type === 'refused') return tellRefused(result.message);
    const route = client.route();
    const next = await nextAfter(stored.store, state, storeFlag);
    if (values.json === true) {
      printJson({ question: id, session, answer, taken: route.type === 'asked', resume: next.resume });
    } else console.log(deliveredText(route, { question, answer, next }));
    return 0;
  },
};

/** An irreversible call needs a flag that names its effect. Undefined if nothing is missing. */
function unconfirmedText(
  question: OpenQuestion,
  answer: Answer,
  given: Readonly<Record<'yes-delete' | 'yes-push', boolean>>,
): string | undefined {
  if (!answer.type.startsWith('allow') || !isDangerous(question)) return undefined;
  const worst = namedPart(question);
  const flag = undoFlag(question);
  if (given[flag]) return undefined;
  const what = worst === undefined ? effectHeading(question) : visibleLine(worst.text);
  return `It can't be undone: ${what}. It needs --${flag}.`;
}

/** Accepts an id, a prefix, or the number in this terminal's last `rondo inbox`. */
export async function openQuestionId(stored: StoredSessions | undefined, words: string): Promise<QuestionId> {
  const given = await numberedQuestion(words);
  if (stored === undefined) throw noQuestion(given);
  const open = await stored.store.journal.openQuestions({});
  const [question, other] = open.filter(({ id }) => id.startsWith(given));
  if (other !== undefined) throw usageError(`several open questions start with ${given}; give more of the id`);
  if (question !== undefined) return question.id;
  const id = given as QuestionId;
  const isKnown =
    /^q_\w{8,}$/.test(given) && (await stored.store.journal.head(sessionOfQuestion(id))) !== undefined;
  if (!isKnown) throw noQuestion(given);
  return id;
}

function noQuestion(given: string): Fault {
  return new Fault('not-found', `unknown question ${given} in this store. List the open ones: rondo inbox`);
}

function tellClosed({ closedQuestions }: State, id: QuestionId): number {
  const closed = closedQuestions.find((question) => question.id === id);
  if (closed === undefined) throw noQuestion(id);
  return tellRefused(`question ${id} was already ${endingText(closed)}`);
}

function endingText({ ending, by, at }: ClosedQuestion): string {
  const when = new Date(at).toISOString();
  const how = ending === 'expired' || ending === 'cancelled' ? ending : `answered "${ending}"`;
  return `${how} by ${nameFor(terminalActor.name, by.name)} at ${when}`;
}

function tellRefused(message: string): number {
  console.error(`rondo answer: ${message}. The first answer stands.`);
  return 1;
}

interface GivenAnswer {
  readonly question: OpenQuestion;
  readonly answer: Answer;
  readonly next: NextOwner;
}

/** Reports the answer, the rule it saved, and what happens next. */
export function deliveredText(route: InputRoute, { question, answer, next }: GivenAnswer): string {
  const session = sessionOfQuestion(question.id);
  const given = choicesOf(question.about).find(
    ({ answer: { type } }) => type === answer.type && type !== 'option',
  );
  const effect = given === undefined || answer.type === 'reject' ? '' : ` (${given.effect})`;
  const then =
    route.type === 'asked'
      ? `Session ${session} continues in process ${route.pid}.`
      : nextText(session, next, route.type === 'kept' ? route.silent : undefined);
  return `${questionHeading(question)} ${given?.label ?? 'Answered'}${effect}.\n${then}`;
}

function nextText(session: SessionId, { resume, servers }: NextOwner, silent: number | undefined): string {
  if (silent !== undefined)
    return `Process ${silent} doesn't answer. The next process that runs session ${session} takes this answer: ${resume}`;
  if (servers.length === 0) return `No process runs session ${session} now. Resume with: ${resume}`;
  const who = servers.length === 1 ? `The server ${servers[0]}` : `One of the servers ${servers.join(', ')}`;
  return `${who} continues session ${session}.`;
}
