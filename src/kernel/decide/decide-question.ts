import { answerAgentQuestion, requestOf } from './answer-agent.ts';
import { answerTool, isToolForm } from './decide-tool-asked.ts';
import { emit, type Draft, type Refusal } from './draft.ts';
import { endTurn, stoppedLoop } from './end-turn.ts';
import type { QuestionId } from '../ids.ts';
import type { Input } from '../input.ts';
import { judgeNow } from './judge-now.ts';
import { optional } from '../optional.ts';
import type { Meaning } from '../meaning.ts';
import { answerText, isFittingAnswer, type Answer, type Question } from '../question.ts';
import { repeatEffect } from './repeat-effect.ts';
import { turnOf } from '../state.ts';

type AnswerInput = Extract<Input, { type: 'question-answered' }>;

/** The first answer wins. A later one learns who answered. */
export function decideAnswer(
  draft: Draft,
  { question: id, answer, meaning, edited }: AnswerInput,
): Refusal | undefined {
  const { state, input } = draft;
  const question = state.questions.find((open) => open.id === id);
  if (question === undefined) return notOpen(draft, id);
  if (input.by.type === 'worker') {
    return {
      code: 'forbidden',
      message: `worker ${input.by.name} may not answer question ${id}; a person decides`,
    };
  }
  if (!isFittingAnswer(question.about, answer)) {
    return {
      code: 'invalid',
      message: `"${answer.type}" does not fit question ${id}, a question of type ${question.about.type}`,
    };
  }
  if (answer.type === 'allow-edited' && edited === undefined)
    return { code: 'invalid', message: `the call of question ${id} can't be edited` };
  const isAboutPrompt = turnOf(state)?.activity.type === 'clarifying';
  emit(draft, {
    type: 'question-answered',
    question: id,
    answer,
    ...optional({ edited }),
    ...(isAboutPrompt && meaning !== undefined && { meaning: settledMeaning(meaning) }),
  });
  follow(draft, question, answer);
  return undefined;
}

/** One question per prompt: remaining ambiguity isn't asked about again. */
function settledMeaning(meaning: Meaning): Meaning {
  const { understand: _, clarify: __, ...settled } = meaning;
  return settled;
}

function follow(draft: Draft, { about, id }: Question, answer: Answer): void {
  if (isToolForm(about)) return answerTool(draft, about, answer);
  if (requestOf(about) !== undefined) return answerAgentQuestion(draft, about, answer);
  switch (about.type) {
    case 'approval':
      if (answer.type === 'reject') {
        const reason =
          answer.reason === undefined
            ? 'The user rejected this call.'
            : `The user rejected this call: ${answer.reason}`;
        emit(draft, { type: 'call-refused', call: about.call, code: 'person', reason, rule: about.rule });
      }
      return;
    case 'reply-review':
      if (answer.type !== 'reject') endTurn(draft, { type: 'completed' });
      return;
    case 'clarification':
    case 'form':
      if (about.call !== undefined) {
        emit(draft, { type: 'tool-settled', call: about.call, result: answerResult(answer) });
      }
      return;
    case 'repeat':
      return followRepeat(draft, id, answer);
  }
}

function followRepeat(draft: Draft, id: QuestionId, answer: Answer): void {
  const activity = turnOf(draft.state)?.activity;
  if (activity?.type === 'asking-loop') return endTurn(draft, stoppedLoop('A person stopped it.'));
  if (activity?.type === 'asking-repeat') {
    if (answer.type === 'reject') {
      return endTurn(draft, {
        type: 'failed',
        code: 'crash-loop',
        message: 'The call was cut off repeatedly and was not tried again.',
      });
    }
    return repeatEffect(draft, activity.of.effect, activity.of.attempt + 1);
  }
  if (activity?.type !== 'running-calls') return;
  for (const progress of activity.calls) {
    if (progress.type !== 'unsure' || progress.question !== id) continue;
    const isDenied = judgeNow(draft, progress.call).verdict === 'deny';
    if (answer.type === 'reject' || isDenied) {
      emit(draft, {
        type: 'tool-settled',
        call: progress.call.id,
        result: {
          type: 'error',
          code: 'interrupted',
          message:
            'This call was cut off and may or may not have taken effect. ' +
            (isDenied ? "Today's rules deny it." : 'The user chose not to run it again.'),
        },
      });
    } else {
      repeatEffect(draft, progress.effect, progress.attempt + 1);
    }
  }
}

function answerResult(answer: Answer): { type: 'success'; output: string; data?: unknown } {
  return {
    type: 'success',
    output: answerText(answer),
    ...(answer.type === 'form' && { data: answer.form }),
  };
}

function notOpen({ state }: Draft, id: QuestionId): Refusal {
  const closed = state.closedQuestions.find((question) => question.id === id);
  if (closed === undefined) {
    return { code: 'not-found', message: `session ${state.id} has no open question ${id}` };
  }
  const how =
    closed.ending === 'expired' || closed.ending === 'cancelled' || closed.ending === 'superseded'
      ? closed.ending
      : `answered "${closed.ending}"`;
  return { code: 'conflict', message: `question ${id} was ${how} by ${closed.by.name} already` };
}
