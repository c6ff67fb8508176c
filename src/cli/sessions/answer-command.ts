import { findProject } from '../../agents/project.ts';
import { saveRule } from '../../agents/saved-rules.ts';
import { Fault } from '../../kernel/fault.ts';
import { sessionOfQuestion, type QuestionId, type SessionId } from '../../kernel/ids.ts';
import { isFittingAnswer, type Answer, type ClosedQuestion, type Question } from '../../kernel/question.ts';
import type { State } from '../../kernel/state.ts';
import type { Command } from '../command.ts';
import { homeFolder } from '../home.ts';
import { commonOptions, jsonOption, parseOptions, storeOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { openQuestionOf } from '../../views/open-question.ts';
import { printable } from '../../views/printable.ts';
import { fittingAnswers, wholeCall } from '../../views/question-text.ts';
import { personOnly } from '../person-only.ts';
import { storeFlagOf } from '../store-flag.ts';
import { terminalActor } from '../terminal-actor.ts';
import { usageError } from '../usage-error.ts';
import { answerFromWords, choices } from './answer-words.ts';
import { askOwner, leaveLetter, lettersFor, livingOwner, takeBack } from './reach-session.ts';
import { openStoredSessions, type StoredSessions } from './stored-sessions.ts';

const options = {
  option: { type: 'string', value: 'TEXT', help: 'one of the options of a clarification' },
  text: { type: 'string', value: 'TEXT', help: 'words of your own' },
  form: { type: 'string', value: 'JSON', help: 'the filled form' },
  ...jsonOption,
  ...storeOptions,
  ...commonOptions,
} as const;

export const answerCommand: Command = {
  usage: [`answer QUESTION ${choices.join('|')} [REASON]`, 'answer QUESTION --option X | --text T | --form JSON'],
  about: `Answers an open question, whoever runs its session, also while nobody does: the answer is kept and
taken when the session goes on. The first answer wins. QUESTION is its id or the beginning of one.
"allow-session" grants what the question names for this session, "allow-always" for this project too.`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 3 });
    personOnly('answer');
    const [given, choice, reason] = words;
    if (given === undefined) throw usageError('which question? `rondo ls --state waiting` and `rondo show` tell');
    const answer = answerFromWords({ choice, reason, ...values });
    await using stored = await openStoredSessions(values);
    const id = await questionOf(stored, given);
    if (stored === undefined) throw noQuestion(given);
    const session = sessionOfQuestion(id);
    const { state } = await stored.load(session);
    const question = state.questions.find((open) => open.id === id);
    if (question === undefined) return tellClosed(state, id);
    if (!isFittingAnswer(question.about, answer)) {
      throw usageError(`${id} takes ${fittingAnswers(question.about)}, not ${answer.type}`);
    }
    const answered = await giveAnswer(stored, session, question, answer);
    if (answered.type === 'refused') return tellRefused(answered.message);
    if (answer.type === 'allow-always') await saveGrants(question, state);
    const resume = `${await resumeOf(stored, session)}${storeFlagOf(values.store)}`;
    const about = wholeCall(openQuestionOf(question, state));
    tellAnswered(answered, { question: id, about, session, answer, resume, json: values.json ?? false });
    return 0;
  },
};

/** A worker's session goes on with its job, not by itself. */
async function resumeOf({ store }: StoredSessions, session: SessionId): Promise<string> {
  const [worker] = await store.jobs.workers({ session });
  if (worker === undefined) return `rondo run --session ${session}`;
  const active = await store.jobs.jobs({ worker: worker.id, which: 'active' });
  if (active.length === 0) return `rondo run --session ${session}`;
  return worker.parent === undefined ? 'rondo jobs run' : `rondo run --session ${worker.parent}`;
}

type Answered =
  /** The process that runs the session has it. */
  | { readonly type: 'taken'; readonly pid: number }
  /** It is kept for whoever runs the session next. */
  | { readonly type: 'kept' }
  | { readonly type: 'refused'; readonly message: string };

async function giveAnswer(
  { store }: StoredSessions,
  session: SessionId,
  { id }: Question,
  answer: Answer,
): Promise<Answered> {
  const body = { type: 'question-answered', question: id, answer } as const;
  const owner = await livingOwner(store, session);
  if (owner !== undefined) {
    const receipt = await askOwner(store, session, body);
    if (receipt === 'silent') return { type: 'kept' };
    return receipt.type === 'accepted'
      ? { type: 'taken', pid: owner.pid }
      : { type: 'refused', message: receipt.refusal.message };
  }
  const own = await leaveLetter(store, session, body);
  const letters = await lettersFor(store, session);
  const first = letters.find((letter) => letter.body.type === 'question-answered' && letter.body.question === id);
  if (first?.body.type !== 'question-answered' || first.id === own) return { type: 'kept' };
  const message = `question ${id} was answered "${first.body.answer.type}" by ${first.by.name} already`;
  await takeBack(store, own, message);
  return { type: 'refused', message };
}

/** The owner saves them too when it takes the answer; a rule is saved once. */
async function saveGrants({ about }: Question, { cwd }: State): Promise<void> {
  if (about.type !== 'approval') return;
  const home = homeFolder();
  const { identity } = await findProject(cwd, home);
  for (const rule of about.grants) {
    await saveRule(home, { project: identity, rule, at: Date.now(), by: terminalActor.name });
  }
}

async function questionOf(stored: StoredSessions | undefined, given: string): Promise<QuestionId> {
  if (stored === undefined) throw noQuestion(given);
  const open = await stored.store.journal.openQuestions({});
  const [found, other] = open.filter(({ id }) => id.startsWith(given));
  if (other !== undefined)
    throw usageError(`more than one open question starts with ${given}; write more of its id`);
  if (found !== undefined) return found.id;
  const id = given as QuestionId;
  const isKnown =
    /^q_\w{8,}$/.test(given) && (await stored.store.journal.head(sessionOfQuestion(id))) !== undefined;
  if (!isKnown) throw noQuestion(given);
  return id;
}

function noQuestion(given: string): Fault {
  return new Fault(
    'not-found',
    `there is no question ${given} in this store; \`rondo ls --state waiting\` shows who waits`,
  );
}

function tellClosed({ closedQuestions }: State, id: QuestionId): number {
  const closed = closedQuestions.find((question) => question.id === id);
  if (closed === undefined) throw noQuestion(id);
  return tellRefused(`question ${id} was ${endingText(closed)} already`);
}

function endingText({ ending, by, at }: ClosedQuestion): string {
  const when = new Date(at).toISOString();
  const how = ending === 'expired' || ending === 'cancelled' ? ending : `answered "${ending}"`;
  return `${how} by ${by.name} at ${when}`;
}

function tellRefused(message: string): number {
  console.error(`rondo answer: ${message}. The first answer stands.`);
  return 1;
}

function tellAnswered(
  answered: Exclude<Answered, { type: 'refused' }>,
  said: {
    readonly question: QuestionId;
    /** The whole call, where the question named only a part of it. */
    readonly about: string | undefined;
    readonly session: SessionId;
    readonly answer: Answer;
    readonly resume: string;
    readonly json: boolean;
  },
): void {
  const { question, about, session, answer, resume, json } = said;
  if (json) return printJson({ question, session, answer, taken: answered.type === 'taken', resume });
  console.log(`Answered ${question}: ${answer.type}`);
  if (about !== undefined) console.log(`  The whole call: ${printable(about)}`);
  if (answered.type === 'taken') console.log(`Session ${session} goes on in process ${answered.pid}.`);
  else console.log(`Nobody runs session ${session} now. Go on with: ${resume}`);
}
