import type { Event, Recorded } from '../event.ts';
import { questionIdOf, type QuestionId } from '../ids.ts';
import { invariant } from '../invariant.ts';
import type { Meaning } from '../meaning.ts';
import { optional } from '../optional.ts';
import { answerText, type ClosedQuestion, type Question, type QuestionSubject } from '../question.ts';
import { parseRule, ruleToText, type Rule } from '../rule.ts';
import { loseRequests, withRequests } from './prompted-agent.ts';
import { closedQuestionsKept, turnOf, type State } from '../state.ts';
import {
  withActivity,
  withCall,
  withMeaning,
  withMessage,
  withReservationCharged,
  withTurn,
} from './turn-change.ts';

type QuestionEvent = Extract<Event, { type: 'question-opened' | 'question-answered' | 'question-closed' }>;

export function evolveQuestion(state: State, recorded: Recorded, event: QuestionEvent): State {
  const { seq, at, by } = recorded;
  switch (event.type) {
    case 'question-opened': {
      const question: Question = {
        id: questionIdOf(state.id, seq),
        openedAt: at,
        ...optional({ expiresAt: event.expiresAt }),
        about: event.about,
      };
      return withAsked({ ...state, questions: [...state.questions, question] }, question.id, event.about);
    }
    case 'question-answered': {
      const { question, answer } = event;
      const about = state.questions.find((open) => open.id === question)?.about;
      invariant(about !== undefined, 'Q1: only an open question is answered');
      const closed = withClosed(state, { id: question, by, at, ending: answer.type });
      if (about.type === 'approval' && about.request !== undefined) {
        const isGrant = answer.type === 'allow-session' || answer.type === 'allow-always';
        return isGrant ? { ...closed, grants: withGrants(closed.grants, about.grants) } : closed;
      }
      if (about.type === 'approval' && answer.type !== 'reject') {
        const { edited } = event;
        if (answer.type === 'allow-edited' && edited !== undefined) {
          return withCall(closed, about.call, ({ call }) => ({
            type: 'granted',
            call: { ...call, args: answer.args, facts: edited.facts },
          }));
        }
        const granted = withCall(closed, about.call, (call) => ({ type: 'granted', call: call.call }));
        return answer.type === 'allow-once'
          ? granted
          : { ...granted, grants: withGrants(granted.grants, about.grants) };
      }
      // The reviewer's comment goes to the model, which tries again.
      if (about.type === 'reply-review' && answer.type === 'reject') {
        return withTurn(closed, (turn) => ({
          ...turn,
          rejections: turn.rejections + 1,
          activity: { type: 'ready' },
        }));
      }
      if (about.type === 'clarification' && about.call === undefined) {
        return clarified(withMessage(closed, about.text, answerText(answer)), event.meaning);
      }
      // A person lets the turn continue, so counting starts over.
      if (turnOf(closed)?.activity.type === 'asking-loop' && answer.type !== 'reject') {
        return withTurn(closed, (turn) => {
          const { loop: _, ...rest } = turn;
          return { ...rest, activity: { type: 'ready' } };
        });
      }
      return closed;
    }
    case 'question-closed': {
      const closed = withClosed(state, { id: event.question, by, at, ending: event.reason });
      const activity = turnOf(state)?.activity;
      if (activity?.type === 'clarifying' && activity.question === event.question) {
        return withActivity(closed, { type: 'ready' });
      }
      return withRequests(closed, (requests) =>
        requests.filter((request) => request.type !== 'asking' || request.question !== event.question),
      );
    }
  }
}

function withAsked(state: State, question: QuestionId, about: QuestionSubject): State {
  const request = about.type === 'approval' || about.type === 'form' ? about.request : undefined;
  if (request !== undefined) {
    return withRequests(state, (requests) =>
      requests.map((progress) =>
        progress.key === request ? { ...progress, type: 'asking', question } : progress,
      ),
    );
  }
  switch (about.type) {
    case 'approval':
      return withCall(state, about.call, (progress) => ({ type: 'asking', call: progress.call, question }));
    case 'reply-review':
      return withActivity(state, { type: 'reviewing-reply', question });
    case 'clarification':
    case 'form':
      return about.call === undefined
        ? withClarifying(state, question)
        : withCall(state, about.call, (progress) => ({ type: 'asking', call: progress.call, question }));
    case 'repeat': {
      if (about.call !== undefined) {
        return withCall(state, about.call, (progress) => {
          invariant(progress.type === 'running', 'E3: only a running call can be unsure');
          return { ...progress, type: 'unsure', question };
        });
      }
      const activity = turnOf(state)?.activity;
      if (activity?.type === 'ready') return withActivity(state, { type: 'asking-loop', question });
      invariant(
        activity?.type === 'calling-model' ||
          activity?.type === 'compacting' ||
          activity?.type === 'prompting-agent',
        'E3: only an effect in flight can be unsure',
      );
      const charged = activity.type === 'prompting-agent' ? state : withReservationCharged(state, activity);
      return withRequests(withActivity(charged, { type: 'asking-repeat', question, of: activity }), loseRequests);
    }
  }
}

/** A prompt's meaning is asked about at most once. */
function withClarifying(state: State, question: QuestionId): State {
  if (turnOf(state)?.activity.type !== 'ready') return state;
  return withTurn(state, (turn) => {
    const { clarify: _, ...rest } = turn;
    return { ...rest, activity: { type: 'clarifying', question } };
  });
}

function clarified(state: State, meaning: Meaning | undefined): State {
  if (turnOf(state)?.activity.type !== 'clarifying') return state;
  return withTurn(state, (turn) => ({
    ...(meaning === undefined ? turn : withMeaning(turn, meaning)),
    activity: { type: 'ready' },
  }));
}

function withClosed(state: State, closed: ClosedQuestion): State {
  return {
    ...state,
    recoveries: 0,
    questions: state.questions.filter((question) => question.id !== closed.id),
    closedQuestions: [...state.closedQuestions, closed].slice(-closedQuestionsKept),
  };
}

/** A repeated grant is stored once, so that the list stays bounded. */
function withGrants(grants: readonly Rule[], texts: readonly string[]): readonly Rule[] {
  const all = [...grants];
  for (const text of texts) {
    const rule = parseRule(text, 'allow', 'session');
    if (rule !== undefined && !all.some((other) => ruleToText(other) === ruleToText(rule))) all.push(rule);
  }
  return all;
}
