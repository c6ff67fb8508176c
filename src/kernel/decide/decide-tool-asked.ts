/**
 * Questions of a running tool, such as an MCP server's form. The answer goes to the tool, which continues. A question
 * ends with its call: a tool whose process is gone can't hear the answer.
 */
import type { AgentAnswer } from '../agent-request.ts';
import { emit, want, type Draft, type Refusal } from './draft.ts';
import type { CallId, EffectId } from '../ids.ts';
import type { Input } from '../input.ts';
import { optional } from '../optional.ts';
import { openQuestion } from './open-question.ts';
import type { Answer, QuestionSubject } from '../question.ts';
import { turnOf, type State } from '../state.ts';

type ToolAsked = Extract<Input, { type: 'tool-asked' }>;
type ToolForm = Extract<QuestionSubject, { type: 'form' }> & { readonly call: CallId; readonly request: string };

/** A question for another effect or attempt is late and ignored. */
export function decideToolAsked(draft: Draft, input: ToolAsked): Refusal | undefined {
  const { effect, attempt, key, title, schema, url, permits } = input;
  const call = runningCalls(draft.state).find((one) => one.effect === effect && one.attempt === attempt)?.id;
  if (call === undefined) return undefined;
  if (draft.state.phase.type === 'cancelling') {
    want(draft, { type: 'answer-tool', effect, attempt, key, answer: { type: 'cancelled' } });
  } else if (draft.state.mode.asks === 'nobody' || hasAskedEnough(draft.state)) {
    want(draft, { type: 'answer-tool', effect, attempt, key, answer: { type: 'declined' } });
  } else {
    openQuestion(draft, { type: 'form', title, schema, ...optional({ url, permits }), call, request: key });
  }
  return undefined;
}

/** A tool can't flood a person. */
function hasAskedEnough({ questions }: State): boolean {
  return questions.filter(({ about }) => isToolForm(about)).length >= toolQuestionsKept;
}

const toolQuestionsKept = 8;

export function isToolForm(about: QuestionSubject): about is ToolForm {
  return about.type === 'form' && about.call !== undefined && about.request !== undefined;
}

export function answerTool(draft: Draft, { call, request }: ToolForm, answer: Answer): void {
  tellTool(draft, call, request, toolAnswerOf(answer));
}

export function declineTool(draft: Draft, { call, request }: ToolForm): void {
  tellTool(draft, call, request, { type: 'declined' });
}

/** Closes the questions of a call that ends. */
export function closeToolQuestions(draft: Draft, call: CallId): void {
  for (const { id, about } of draft.state.questions) {
    if (!isToolForm(about) || about.call !== call) continue;
    emit(draft, { type: 'question-closed', question: id, reason: 'cancelled' });
  }
}

function tellTool(draft: Draft, call: CallId, key: string, answer: AgentAnswer): void {
  const running = runningCalls(draft.state).find(({ id }) => id === call);
  if (running === undefined) return;
  const { effect, attempt } = running;
  want(draft, { type: 'answer-tool', effect, attempt, key, answer });
}

function toolAnswerOf(answer: Answer): AgentAnswer {
  if (answer.type === 'form') return answer;
  // The person finished the steps on the linked page.
  return answer.type === 'allow-once' ? { type: 'form', form: {} } : { type: 'declined' };
}

interface RunningCall {
  readonly id: CallId;
  readonly effect: EffectId;
  readonly attempt: number;
}

function runningCalls(state: State): readonly RunningCall[] {
  const activity = turnOf(state)?.activity;
  if (activity?.type !== 'running-calls') return [];
  return activity.calls.flatMap((one) =>
    one.type === 'running' ? [{ id: one.call.id, effect: one.effect, attempt: one.attempt }] : [],
  );
}
