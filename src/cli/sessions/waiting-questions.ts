import { sessionOfQuestion, type SessionId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';
import { openQuestionsOf, type OpenQuestion } from '../../views/open-question.ts';
import { oneLine } from '../../views/one-line.ts';
import { statusOf } from '../../views/status.ts';
import { lettersFor } from './reach-session.ts';
import type { StoredSessions } from './stored-sessions.ts';

export interface WaitingQuestion {
  readonly question: OpenQuestion;
  readonly state: State;
  readonly title: string;
  readonly cwd: string;
}

/** Open questions in all sessions of a store, oldest first. Omits those with a stored answer. */
export async function waitingQuestions(stored: StoredSessions): Promise<readonly WaitingQuestion[]> {
  const open = await stored.store.journal.openQuestions({});
  const sessions = [...new Set(open.map(({ id }) => sessionOfQuestion(id)))];
  const lists = await Promise.all(sessions.map((session) => waitingIn(stored, session)));
  return lists.flat().toSorted((a, b) => a.question.openedAt - b.question.openedAt);
}

async function waitingIn(stored: StoredSessions, session: SessionId): Promise<readonly WaitingQuestion[]> {
  const { state } = await stored.load(session);
  const letters = await lettersFor(stored.store, session);
  const answered = new Set(
    letters.flatMap(({ body }) => (body.type === 'question-answered' ? [body.question] : [])),
  );
  const title = oneLine(statusOf(state).title ?? '(no title)');
  return openQuestionsOf(state)
    .filter(({ id }) => !answered.has(id))
    .map((question) => ({ question, state, title, cwd: state.cwd }));
}
