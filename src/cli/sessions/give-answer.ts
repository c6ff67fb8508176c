/** Delivers an answer to the process that runs the session, or to the session's inbox if none does. */
import { findProject } from '../../agents/project.ts';
import { saveRule } from '../../agents/saved-rules.ts';
import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { nameFor } from '../../wording/viewer.ts';
import type { Answer, Question } from '../../kernel/question.ts';
import type { State } from '../../kernel/state.ts';
import { nodesAbleToRun } from '../../session/ownership/serving.ts';
import { homeFolder } from '../home.ts';
import { terminalActor } from '../terminal-actor.ts';
import { deliver, lettersFor, takeBack, type Delivered } from './reach-session.ts';

/** The first answer wins. "Always" also saves the rules that the question showed. */
export async function giveAnswer(
  store: Store,
  state: State,
  question: Question,
  answer: Answer,
): Promise<Delivered> {
  const answered = await deliverFirst(store, state.id, question, answer);
  if (answered.type !== 'refused' && answer.type === 'allow-always') await saveGrants(question, state);
  return answered;
}

/**
 * The command that resumes a session. A worker's session resumes with its job, so for a worker this is the command of
 * the top session that waits for it.
 */
async function resumeOf(store: Store, session: SessionId): Promise<string> {
  const [worker] = await store.jobs.workers({ session });
  const active = worker === undefined ? [] : await store.jobs.jobs({ worker: worker.id, which: 'active' });
  if (worker === undefined || active.length === 0) return `rondo run --session ${session}`;
  return worker.parent === undefined ? 'rondo jobs run' : resumeOf(store, worker.parent);
}

/** What resumes an answered session: a server that takes it over, or a command to run. */
export async function nextAfter(store: Store, state: State, storeFlag: string): Promise<NextOwner> {
  const resume = `${await resumeOf(store, state.id)}${storeFlag}`;
  const servers = nodesAbleToRun(state, await store.nodes.list()).map(({ name }) => name);
  return { resume, servers };
}

export interface NextOwner {
  /** The command that continues the session. */
  readonly resume: string;
  /** The names of the servers of which one continues it unasked. */
  readonly servers: readonly string[];
}

async function deliverFirst(
  store: Store,
  session: SessionId,
  { id }: Question,
  answer: Answer,
): Promise<Delivered> {
  const delivered = await deliver(store, session, { type: 'question-answered', question: id, answer });
  if (delivered.type !== 'kept') return delivered;
  const letters = await lettersFor(store, session);
  const first = letters.find((letter) => letter.body.type === 'question-answered' && letter.body.question === id);
  if (first?.body.type !== 'question-answered' || first.id === delivered.letter) return delivered;
  const message = `question ${id} was already answered "${first.body.answer.type}" by ${nameFor(terminalActor.name, first.by.name)}`;
  await takeBack(store, delivered.letter, message);
  return { type: 'refused', message };
}

/** The owner also saves them when it accepts the answer, but each rule is saved only once. */
async function saveGrants({ about }: Question, { cwd }: State): Promise<void> {
  if (about.type !== 'approval') return;
  const home = homeFolder();
  const { identity } = await findProject(cwd, home);
  for (const rule of about.grants) {
    await saveRule(home, { project: identity, rule, at: Date.now(), by: terminalActor.name });
  }
}
