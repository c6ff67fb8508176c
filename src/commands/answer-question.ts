import { optional } from '../kernel/optional.ts';
import type { Answer } from '../kernel/question.ts';
import type { SessionClient } from '../ports/session-client.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import type { CommandResult } from './command-result.ts';

/** Answers the question whose id starts with the given text, or the oldest without an id. */
export async function answerQuestion(
  session: Pick<SessionClient, 'questions' | 'answer'>,
  id: string | undefined,
  answerTo: (question: OpenQuestion) => Answer | string,
): Promise<CommandResult> {
  const open = await session.questions();
  const [question, other] = id === undefined ? open.slice(0, 1) : open.filter((one) => one.id.startsWith(id));
  if (question === undefined)
    return { type: 'refused', message: id === undefined ? 'No question is open.' : `No open question ${id}.` };
  if (other !== undefined) return { type: 'refused', message: `More than one open question starts with ${id}.` };
  const answer = answerTo(question);
  if (typeof answer === 'string') return { type: 'refused', message: answer };
  const receipt = await session.answer(question.id, answer);
  if (receipt.type === 'refused') return { type: 'refused', message: receipt.refusal.message };
  return { type: 'answered', question, answer };
}

/** `q_1 not now` names a question and gives a text. `not now` only gives a text. */
export function questionAndRest(text: string | undefined): { readonly id?: string; readonly rest?: string } {
  const [, id, rest] = /^(q_\w*)?\s*([\s\S]*)$/.exec(text ?? '') ?? [];
  return { ...optional({ id }), ...(rest !== undefined && rest !== '' && { rest }) };
}
