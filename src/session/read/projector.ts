/** The entries in the directory, the question inbox and the index of due times, written with the events. */
import type { Projection, QuestionEntry } from '../../ports/journal.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import type { Recorded } from '../../kernel/event.ts';
import { questionIdOf } from '../../kernel/ids.ts';
import type { Question } from '../../kernel/question.ts';
import type { State } from '../../kernel/state.ts';
import { directoryEntryOf } from '../../views/directory.ts';
import { listedSubject } from '../../views/listed-subject.ts';
import { timeAt, type Time } from '../../kernel/time.ts';

/** The earliest wait, as last projected and as on disk. */
export interface Projected {
  due: Time | null;
  writtenDue: Time | null;
}

export function projectedOf(opened: State): Projected {
  const due = dueOf(opened);
  return { due, writtenDue: due };
}

export function project(projected: Projected, next: State, events: readonly Recorded[]): Projection {
  const due = dueOf(next);
  projected.due = due;
  const entry = directoryEntryOf(next);
  const inFlight = hasEffectsInFlight(next);
  if (due === projected.writtenDue && !events.some(concernsQuestion)) return { entry, inFlight };
  const asked = events.flatMap((recorded) => openedQuestion(next, recorded));
  const closed = events.flatMap(({ event }) =>
    event.type === 'question-answered' || event.type === 'question-closed' ? [event.question] : [],
  );
  return {
    entry,
    inFlight,
    ...(asked.length > 0 && { questionsOpened: asked }),
    ...(closed.length > 0 && { questionsClosed: closed }),
    ...(due !== projected.writtenDue && { due }),
  };
}

function concernsQuestion({ event }: Recorded): boolean {
  return (
    event.type === 'question-opened' || event.type === 'question-answered' || event.type === 'question-closed'
  );
}

/** When a session's first wait ends. */
export function dueOf({ waits }: State): Time | null {
  return waits.length === 0 ? null : timeAt(Math.min(...waits.map(({ until }) => until)));
}

function openedQuestion(state: State, { event, seq, at }: Recorded): readonly QuestionEntry[] {
  if (event.type !== 'question-opened') return [];
  const question: Question = { id: questionIdOf(state.id, seq), openedAt: at, about: event.about };
  return [listedQuestion(question, state)];
}

/** A question as the inbox stores it. */
export function listedQuestion(question: Question, state: State): QuestionEntry {
  const { id, openedAt, about } = question;
  const listed = listedSubject(question, state);
  return { id, session: state.id, openedAt, type: about.type, about: JSON.stringify(listed) };
}
