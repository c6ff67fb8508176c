import type { Event, Recorded } from '../kernel/event.ts';
import { questionIdOf, type CallId, type QuestionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { QuestionSubject } from '../kernel/question.ts';
import { itemAt } from './persistent-list.ts';
import { withCallItem } from './transcript-calls.ts';
import type { QuestionItem } from './transcript-item.ts';
import { itemId, withChanged, withCurrent, withItem, type Transcript } from './transcript-view.ts';

type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>;

export function withQuestion(
  view: Transcript,
  { seq, at }: Recorded,
  event: EventOf<'question-opened'>,
): Transcript {
  const { about, expiresAt } = event;
  const question = questionIdOf(view.session, seq);
  const asked = withItem(view, {
    type: 'question',
    id: itemId(seq),
    at,
    question,
    about,
    ...optional({ expiresAt }),
    state: { type: 'open' },
  });
  const opened = { id: question, place: view.items.length };
  const open = withCurrent(asked, { questions: [...view.current.questions, opened] });
  return withCallItem(open, callAbout(about), (item) => ({
    ...item,
    ...(about.type === 'approval' && { rule: about.rule }),
    state: { type: 'asking', question },
  }));
}

export function withAnswer(
  view: Transcript,
  { by, at }: Recorded,
  event: EventOf<'question-answered'>,
): Transcript {
  const { question, answer } = event;
  const about = subjectOf(view, question);
  const closed = withClosed(view, question, { type: 'answered', by, at, answer });
  if (about?.type !== 'approval' || answer.type === 'reject') return closed;
  return withCallItem(closed, about.call, (item) => ({
    ...item,
    ...(answer.type === 'allow-edited' && { args: answer.args, facts: event.edited?.facts ?? item.facts }),
    approvedBy: by,
    state: { type: 'planned' },
  }));
}

export function withClosed(view: Transcript, question: QuestionId, state: QuestionItem['state']): Transcript {
  const place = placeOf(view, question);
  const questions = view.current.questions.filter(({ id }) => id !== question);
  return withCurrent(
    withChanged(view, place, 'question', (item) => ({ ...item, state })),
    { questions },
  );
}

function subjectOf(view: Transcript, question: QuestionId): QuestionSubject | undefined {
  const item = itemAt(view.items, placeOf(view, question) ?? -1);
  return item?.type === 'question' ? item.about : undefined;
}

function placeOf({ current }: Transcript, question: QuestionId): number | undefined {
  return current.questions.find(({ id }) => id === question)?.place;
}

function callAbout(about: QuestionSubject): CallId | undefined {
  return about.type === 'reply-review' ? undefined : about.call;
}
