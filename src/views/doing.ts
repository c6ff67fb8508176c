import type { Call, CallProgress } from '../kernel/call.ts';
import { previewOf } from '../kernel/content.ts';
import type { EffectId, QuestionId } from '../kernel/ids.ts';
import { turnOf, type Activity, type State, type Turn } from '../kernel/state.ts';
import { approvalPart, callText } from './call-summary.ts';
import { delegatedWorkers } from './delegated-workers.ts';
import { oneLine } from './one-line.ts';
import { openQuestionOf, type OpenQuestion } from './open-question.ts';
import { optional } from '../kernel/optional.ts';

/** One current activity of a session, as text that follows "it is …". */
export interface Doing {
  readonly words: string;
  /** When the effect was intended, even if it was retried since. Absent if unknown. */
  readonly since?: number;
  readonly until?: number;
  /** The effect in flight, or the question that blocks it. */
  readonly effect?: EffectId;
  readonly question?: QuestionId;
}

/** When an effect was intended. The state lacks only this. */
export type IntendedAt = (effect: EffectId) => number | undefined;

export function doingIn(state: State, intendedAt: IntendedAt = unknownTime): readonly Doing[] {
  if (state.phase.type === 'restoring') {
    const { effect, attempt } = state.phase.restore;
    return [running('restoring files', effect, attempt, intendedAt)];
  }
  const turn = turnOf(state);
  return turn === undefined ? [] : doingOf(turn.activity, turn, state, intendedAt);
}

const unknownTime: IntendedAt = () => undefined;

/** One line for lists. Activities that wait for a person come first. Undefined if nothing is running. */
export function doingLine(state: State): string | undefined {
  if (state.phase.type === 'cancelling') return 'being cancelled';
  if (state.phase.type === 'restoring') return doingIn(state)[0]?.words;
  if (state.phase.type !== 'turn') return undefined;
  const { turn } = state.phase;
  if (turn.activity.type === 'calling-model') return attempted(callingWords(turn), turn.activity.attempt);
  const going = doingIn(state);
  const asked = going.filter(({ question }) => question !== undefined);
  // An external agent and its question count as one activity.
  const all = turn.activity.type === 'prompting-agent' && asked.length > 0 ? asked : going;
  const first = asked[0] ?? all[0];
  if (first === undefined) return 'working';
  return all.length === 1 ? first.words : `${first.words} (and ${all.length - 1} more)`;
}

function doingOf(activity: Activity, turn: Turn, state: State, intendedAt: IntendedAt): readonly Doing[] {
  switch (activity.type) {
    case 'calling-model': {
      const { effect, attempt } = activity;
      return [running(callingWords(turn), effect, attempt, intendedAt)];
    }
    case 'understanding': {
      const { effect, attempt } = activity;
      return [running('asking the model what is meant', effect, attempt, intendedAt)];
    }
    case 'compacting': {
      const { effect, attempt } = activity;
      return [running('summarizing the conversation', effect, attempt, intendedAt)];
    }
    case 'prompting-agent': {
      const { effect, attempt, parked, requests = [] } = activity;
      const asked = requests.flatMap((request) =>
        request.type === 'asking' ? asking(request.question, state) : [],
      );
      return parked === true
        ? asked
        : [running(`running ${turn.agent.name}`, effect, attempt, intendedAt), ...asked];
    }
    case 'running-calls':
      return activity.calls.flatMap((progress) => doingCall(progress, state, intendedAt));
    case 'reviewing-reply':
    case 'clarifying':
    case 'asking-loop':
    case 'asking-repeat':
      return asking(activity.question, state);
    case 'pausing': {
      const wait = state.waits.find(({ effect }) => effect === activity.wait);
      const since = intendedAt(activity.wait);
      const words = wait?.why === 'provider-reset' ? 'waiting for the provider' : 'pausing after an error';
      return [
        {
          words,
          ...optional({ since, until: wait?.until }),
          effect: activity.wait,
        },
      ];
    }
    case 'ready':
    case 'replied':
      return [];
  }
}

function doingCall(progress: CallProgress, state: State, intendedAt: IntendedAt): readonly Doing[] {
  switch (progress.type) {
    case 'running':
      return [running(runningWords(progress.call), progress.effect, progress.attempt, intendedAt)];
    case 'asking':
    case 'unsure':
      return asking(progress.question, state);
    case 'planned':
    case 'granted':
    case 'settled':
      return [];
  }
}

/** The tool and its whole command or main argument, as in "running shell: npm test"; for `delegate` the names of the workers. */
function runningWords({ tool, args }: Call): string {
  const workers = tool === 'delegate' ? delegatedWorkers(args) : [];
  if (workers.length > 0) return `waiting for ${workers.map(({ name }) => oneLine(name)).join(', ')}`;
  const text = callText(previewOf(args));
  return text === '' ? `running ${tool}` : `running ${tool}: ${text}`;
}

function running(words: string, effect: EffectId, attempt: number, intendedAt: IntendedAt): Doing {
  const since = intendedAt(effect);
  const doing = { words: attempted(words, attempt), effect };
  return since === undefined ? doing : { ...doing, since };
}

function attempted(words: string, attempt: number): string {
  return attempt === 1 ? words : `${words}, attempt ${attempt}`;
}

function callingWords({ agent }: Turn): string {
  return `calling ${agent.model ?? 'the model'}`;
}

function asking(id: QuestionId, state: State): readonly Doing[] {
  const question = state.questions.find((open) => open.id === id);
  return question === undefined ? [] : [waitingFor(openQuestionOf(question, state))];
}

function waitingFor(question: OpenQuestion): Doing {
  const { id, openedAt, expiresAt } = question;
  return {
    words: `waiting for ${wantedBy(question)}`,
    since: openedAt,
    ...optional({ until: expiresAt }),
    question: id,
  };
}

function wantedBy(question: OpenQuestion): string {
  const { about } = question;
  switch (about.type) {
    case 'approval':
      return `approval of ${about.unit === undefined ? about.tool : `${about.tool}: ${approvalPart(question)}`}`;
    case 'reply-review':
      return 'a review of its reply';
    case 'repeat':
      return `a decision whether to run the ${about.what} again`;
    case 'clarification':
      return `an answer: ${oneLine(previewOf(about.text))}`;
    case 'form':
      return `a form: ${oneLine(about.title)}`;
  }
}
