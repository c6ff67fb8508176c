/** Delivers an answer to the process that runs the session, or to the session's inbox if none does. */
import { findProject } from '../../agents/project.ts';
import { saveRule } from '../../agents/saved-rules.ts';
import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { nameFor } from '../../wording/viewer.ts';
import type { Answer, Question } from '../../kernel/question.ts';
import type { State } from '../../kernel/state.ts';
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
