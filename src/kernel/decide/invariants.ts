/** What holds in every reachable state between steps, by rule id of SPEC.md. */

import { effectsInFlight } from './end-turn.ts';
import { isToolForm } from './decide-tool-asked.ts';
import type { QuestionId } from '../ids.ts';
import type { Question } from '../question.ts';
import type { Activity, State } from '../state.ts';
import { closedQuestionsKept, turnOf } from '../state.ts';

/** The ids of violated rules. */
export function brokenInvariants(state: State): readonly string[] {
  return rules.filter(([, holds]) => !holds(state)).map(([id]) => id);
}

type StateRule = readonly [id: string, holds: (state: State) => boolean];

const rules: readonly StateRule[] = [
  ['I1', ({ seq }) => Number.isSafeInteger(seq) && seq >= 0],
  ['I2', (state) => !['ready', 'replied'].includes(turnOf(state)?.activity.type ?? 'none')],
  [
    'I3',
    (state) =>
      sameSet(
        questionsAwaited(turnOf(state)?.activity, state.questions),
        state.questions.map(({ id }) => id),
      ),
  ],
  ['I4', (state) => turnOf(state) !== undefined || (state.questions.length === 0 && state.waits.length === 0)],
  ['I5', ({ phase, queue }) => phase.type !== 'idle' || queue.paused || queue.prompts.length === 0],
  ['I6', ({ phase, waits }) => phase.type !== 'turn' || pauseIsArmed(phase.turn.activity, waits)],
  ['I7', ({ phase }) => phase.type !== 'cancelling' || effectsInFlight(phase.turn).length > 0],
  ['I8', (state) => hasUnsettledCall(turnOf(state)?.activity)],
  ['I9', ({ phase, queue }) => phase.type !== 'closed' || queue.prompts.length === 0],
  ['I10', ({ closedQuestions }) => closedQuestions.length <= closedQuestionsKept],
  ['I11', ({ phase, waits }) => phase.type !== 'cancelling' || waits.some((wait) => wait.why === 'cancel-grace')],
  ['I12', ({ phase }) => phase.type !== 'turn' || isWaitingForSomething(phase.turn.activity)],
];

function questionsAwaited(activity: Activity | undefined, open: readonly Question[]): readonly QuestionId[] {
  switch (activity?.type) {
    case 'reviewing-reply':
    case 'clarifying':
    case 'asking-loop':
      return [activity.question];
    case 'asking-repeat':
      return [activity.question, ...questionsAwaited(activity.of, open)];
    case 'prompting-agent':
      return (activity.requests ?? []).flatMap((request) => (request.type === 'asking' ? [request.question] : []));
    case 'running-calls':
      return activity.calls.flatMap((call) =>
        call.type === 'asking' || call.type === 'unsure'
          ? [call.question]
          : call.type === 'running'
            ? open.filter(({ about }) => isToolForm(about) && about.call === call.call.id).map(({ id }) => id)
            : [],
      );
    default:
      return [];
  }
}

function pauseIsArmed(activity: Activity, waits: State['waits']): boolean {
  return activity.type !== 'pausing' || waits.some((wait) => wait.effect === activity.wait);
}

function hasUnsettledCall(activity: Activity | undefined): boolean {
  return activity?.type !== 'running-calls' || activity.calls.some((call) => call.type !== 'settled');
}

function isWaitingForSomething(activity: Activity): boolean {
  if (activity.type !== 'running-calls') return true;
  return activity.calls.some(({ type }) => type === 'running' || type === 'asking' || type === 'unsure');
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value) => b.includes(value)) && new Set(a).size === a.length;
}
