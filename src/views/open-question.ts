import type { Call, CallFacts, CallProgress } from '../kernel/call.ts';
import type { Body } from '../kernel/content.ts';
import { judgeCall } from '../kernel/decide/judge-now.ts';
import { partsOfCall } from '../kernel/policy/call-units.ts';
import type { Question } from '../kernel/question.ts';
import { turnOf, type PromptingAgent, type State } from '../kernel/state.ts';
import { optional } from '../kernel/optional.ts';

/**
 * A question as people see it. Its text names the part of a call that needs approval. Approving runs the whole
 * call, so the whole call is included.
 */
export interface OpenQuestion extends Question {
  /** The arguments of the call in question, as JSON. */
  readonly args?: Body;
  /** The gate's facts about that call. */
  readonly facts?: AskedFacts;
  /** For each part of a command of several: the rule that allows it, or null if none does. */
  readonly allowedBy?: readonly (string | null)[];
}

export type AskedFacts = Pick<CallFacts, 'segments' | 'paths' | 'urls' | 'dangers'>;

export function openQuestionsOf(state: State): readonly OpenQuestion[] {
  return state.questions.map((question) => openQuestionOf(question, state));
}

export function openQuestionOf(question: Question, state: State): OpenQuestion {
  const activity = turnOf(state)?.activity;
  if (activity?.type === 'prompting-agent') {
    const asking = askedBy(activity, question);
    if (asking?.args === undefined) return question;
    // The first release stored no facts for an external agent's questions.
    return questionAbout(question, { args: asking.args, facts: asking.facts ?? {} }, []);
  }
  if (activity?.type !== 'running-calls') return question;
  const asking = activity.calls.find((progress) => isAskedBy(progress, question));
  return asking === undefined || asking.type === 'settled'
    ? question
    : questionAbout(question, asking.call, allowingRules(asking.call, state));
}

function allowingRules(call: Call, state: State): readonly (string | null)[] {
  if ((call.facts.segments ?? []).length === 0) return [];
  const { covered = [] } = judgeCall(state, call);
  return partsOfCall(call.facts).map(({ text }) => covered.find(({ part }) => part === text)?.rule ?? null);
}

function questionAbout(
  question: Question,
  { args, facts }: { readonly args: Body; readonly facts: AskedFacts },
  allowedBy: readonly (string | null)[],
): OpenQuestion {
  const { segments, paths, urls, dangers } = facts;
  const asked: AskedFacts = {
    ...optional({ segments, paths, urls, dangers }),
  };
  return {
    ...question,
    args,
    ...(Object.keys(asked).length > 0 && { facts: asked }),
    ...(allowedBy.some((rule) => rule !== null) && { allowedBy }),
  };
}

function askedBy({ requests = [] }: PromptingAgent, { id }: Question) {
  return requests.filter((request) => request.type === 'asking').find(({ question }) => question === id);
}

function isAskedBy(progress: CallProgress, { id }: Question): boolean {
  return (progress.type === 'asking' || progress.type === 'unsure') && progress.question === id;
}
