import type { CallProgress } from '../kernel/call.ts';
import type { Body } from '../kernel/content.ts';
import type { Question } from '../kernel/question.ts';
import { turnOf, type PromptingAgent, type State } from '../kernel/state.ts';

/**
 * A question as people are shown it. Its own words name the part of a call that made it necessary; a
 * yes lets the whole call run, so the whole of it goes along.
 */
export interface OpenQuestion extends Question {
  /** The arguments of the call that is asked about, as JSON. */
  readonly args?: Body;
}

export function openQuestionsOf(state: State): readonly OpenQuestion[] {
  return state.questions.map((question) => openQuestionOf(question, state));
}

export function openQuestionOf(question: Question, state: State): OpenQuestion {
  const activity = turnOf(state)?.activity;
  if (activity?.type === 'prompting-agent') return withArgs(question, argsAskedBy(activity, question));
  if (activity?.type !== 'running-calls') return question;
  const asking = activity.calls.find((progress) => isAskedBy(progress, question));
  return withArgs(question, asking === undefined || asking.type === 'settled' ? undefined : asking.call.args);
}

function withArgs(question: Question, args: Body | undefined): OpenQuestion {
  return args === undefined ? question : { ...question, args };
}

function argsAskedBy({ requests = [] }: PromptingAgent, { id }: Question): Body | undefined {
  const asking = requests.find((request) => request.type === 'asking' && request.question === id);
  return asking?.type === 'asking' ? asking.args : undefined;
}

function isAskedBy(progress: CallProgress, { id }: Question): boolean {
  return (progress.type === 'asking' || progress.type === 'unsure') && progress.question === id;
}
