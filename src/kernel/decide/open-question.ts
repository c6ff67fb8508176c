import { optional } from '../optional.ts';
import { armWait } from './arm-wait.ts';
import { emit, want, type Draft } from './draft.ts';
import type { QuestionSubject } from '../question.ts';
import { timeAfter } from '../time.ts';

/** Opens a question and arms its expiry timer, if it can expire. */
export function openQuestion(draft: Draft, about: QuestionSubject): void {
  const { limits } = draft.state;
  const expiresAt =
    limits.questionExpiryMs === undefined ? undefined : timeAfter(draft.input.at, limits.questionExpiryMs);
  emit(draft, { type: 'question-opened', about, ...optional({ expiresAt }) });
  const question = draft.state.questions.at(-1);
  if (question !== undefined) want(draft, { type: 'ask', question });
  if (expiresAt !== undefined) armWait(draft, 'question-expiry', expiresAt);
}
