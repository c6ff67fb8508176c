/**
 * The journal stores an input's events, not the input. Most inputs appear in their events word for word, and the
 * previous state supplies the rest. This returns the inputs that may have caused a transition; the right one
 * reproduces it.
 */
import { optional } from '../kernel/optional.ts';
import { isToolForm } from '../kernel/decide/decide-tool-asked.ts';
import type { Event } from '../kernel/event.ts';
import type { EffectId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import { turnOf, type State } from '../kernel/state.ts';

export function likelyInputs(state: State, events: readonly Event[]): readonly InputBody[] {
  return events.flatMap((event) => inputsFor(event, state, events));
}

function inputsFor(event: Event, state: State, events: readonly Event[]): readonly InputBody[] {
  switch (event.type) {
    case 'session-created':
    case 'session-forked': {
      const { type: _, ...setup } = event;
      return [{ type: 'session-requested', ...setup }];
    }
    case 'prompt-received':
      return promptInputs(event);
    case 'queue-changed':
    case 'question-answered':
    case 'agent-changed':
    case 'agent-setting-chosen':
    case 'agent-setting-settled':
    case 'title-changed':
    case 'mode-changed':
    case 'policy-changed':
    case 'limits-changed':
    case 'worker-reported':
    case 'verdict-reached':
    case 'rewound':
    case 'session-imported':
    case 'session-continued':
    case 'files-saved':
    case 'place-moved':
    case 'push-settled':
      return [event];
    case 'session-recovered':
      return [recoveryOf(event, state, events)];
    case 'checkpoint-taken': {
      const { effect, checkpoint } = event;
      return effect === undefined
        ? [{ type: 'checkpoint-taken', checkpoint }]
        : ofRestore(state, (flight) => ({ type: 'restore-prepared', ...flight, before: checkpoint }));
    }
    case 'restore-intended': {
      const { type: _, ...goal } = event;
      return [{ type: 'restore-requested', ...goal }];
    }
    case 'files-restored': {
      const { changed } = event;
      if (changed === undefined) return [];
      return ofRestore(state, (flight) => ({
        type: 'restore-settled',
        ...flight,
        outcome: { type: 'restored', changed },
      }));
    }
    case 'restore-failed': {
      const { message } = event;
      return ofRestore(state, (flight) => ({
        type: 'restore-settled',
        ...flight,
        outcome: { type: 'failed', message },
      }));
    }
    case 'model-settled':
    case 'prompt-understood':
      return withAttempt(state, ({ attempt }) => ({ ...event, attempt }));
    case 'compaction-settled': {
      const { type: _, ...settled } = event;
      return withAttempt(state, ({ attempt }) => ({ ...settled, type: 'summary-settled', attempt }));
    }
    case 'tool-settled':
      return callInputs(event, state);
    case 'agent-reported':
      return withAttempt(state, (flight) => ({ ...event, ...flight })).concat(lostAgent(event, state));
    case 'agent-asked':
      return withAttempt(state, (flight) => ({ ...event, ...flight }));
    case 'agent-turn-settled': {
      const { ending, usage } = event;
      const outcome = ending.type === 'completed' && usage !== undefined ? { ...ending, usage } : ending;
      return withAttempt(state, (flight) => ({ type: 'agent-turn-settled', ...flight, outcome }));
    }
    case 'question-closed':
      return withdrawals(event, state);
    case 'wait-ended':
      return [{ type: 'time-reached', effect: event.effect }];
    case 'turn-interrupted':
    case 'turn-ended': {
      if (event.ending.type !== 'cancelled') return [{ type: 'closed' }];
      const { type: _, ...reason } = event.ending;
      return [
        { type: 'interrupted', ...reason },
        { type: 'closed', ...reason },
      ];
    }
    case 'session-closed': {
      const { type: _, ...reason } = event;
      return [{ type: 'closed', ...reason }];
    }
    case 'question-opened':
      return toolQuestions(event, state);
    case 'turn-started':
    case 'prompt-joined':
    case 'model-call-intended':
    case 'understanding-intended':
    case 'tool-run-intended':
    case 'job-intended':
    case 'call-refused':
    case 'agent-turn-intended':
    case 'agent-asked-again':
    case 'agent-answered':
    case 'compaction-intended':
    case 'effect-repeated':
    case 'wait-intended':
    case 'calls-described':
    case 'limit-neared':
    case 'custom':
      return [];
  }
}

/** Facts described again are in the adjacent event; otherwise they are the state's. */
function recoveryOf({ epoch }: EventOf<'session-recovered'>, state: State, events: readonly Event[]): InputBody {
  const described = events.flatMap((event) => (event.type === 'calls-described' ? event.calls : []));
  const renewed = events.find((event) => event.type === 'policy-changed');
  const activity = turnOf(state)?.activity;
  const before = activity?.type === 'running-calls' ? activity.calls : [];
  const calls = before.flatMap((progress) =>
    progress.type === 'settled' || described.some(({ call }) => call === progress.call.id)
      ? []
      : [{ call: progress.call.id, facts: progress.call.facts }],
  );
  return {
    type: 'session-recovered',
    epoch,
    calls: [...described, ...calls],
    ...optional({
      rules: renewed?.rules.filter(({ origin }) => !keptOrigins.has(origin)),
      crashes: crashesIn(events),
    }),
  };
}

/** Owners that ended in a row, if the turn was given up for that. The verdict says how many. */
function crashesIn(events: readonly Event[]): number | undefined {
  const given = events.flatMap((event) =>
    event.type === 'verdict-reached' && event.verdict.verdict === 'crash-looping' ? [event.verdict.evidence] : [],
  );
  const [, count] = /^(\d+) /.exec(given[0] ?? '') ?? [];
  return count === undefined ? undefined : Number(count);
}

const keptOrigins: ReadonlySet<string> = new Set(['agent', 'session', 'flag']);

type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>;

function promptInputs({ request, delivery }: EventOf<'prompt-received'>): readonly InputBody[] {
  switch (request.type) {
    case 'chat': {
      const { type: _, ...chat } = request;
      return [{ type: 'prompt-received', delivery, ...chat }];
    }
    case 'task':
      return [{ type: 'task-received', calls: request.calls, delivery }];
    case 'compact':
      return [{ type: 'compaction-requested', ...optional({ keep: request.keep }) }];
  }
}

interface Flight {
  readonly effect: EffectId;
  readonly attempt: number;
}

function withAttempt(state: State, make: (flight: Flight) => InputBody): readonly InputBody[] {
  const activity = turnOf(state)?.activity;
  if (activity === undefined || !('effect' in activity)) return [];
  return [make({ effect: activity.effect, attempt: activity.attempt })];
}

function ofRestore({ phase }: State, make: (flight: Flight) => InputBody): readonly InputBody[] {
  if (phase.type !== 'restoring') return [];
  const { effect, attempt } = phase.restore;
  return [make({ effect, attempt })];
}

function callInputs({ call, result, sampled }: EventOf<'tool-settled'>, state: State): readonly InputBody[] {
  const activity = turnOf(state)?.activity;
  if (activity?.type !== 'running-calls') return [];
  return activity.calls.flatMap((progress): readonly InputBody[] => {
    if (progress.type !== 'running' || progress.call.id !== call) return [];
    const { effect, attempt } = progress;
    if (progress.call.facts.runs === 'job') return [{ type: 'job-settled', effect, attempt, result }];
    return [{ type: 'tool-settled', effect, attempt, result, ...optional({ sampled }) }];
  });
}

/** A new agent process continued a lost one's turn: only its messages were recorded. */
function lostAgent({ report }: EventOf<'agent-reported'>, state: State): readonly InputBody[] {
  if (report.type !== 'notice' || typeof report.text !== 'string') return [];
  const message = report.text;
  return withAttempt(state, (flight) => ({
    type: 'agent-turn-settled',
    ...flight,
    outcome: { type: 'failed', code: 'agent-failed', message, retryable: true },
  }));
}

/** Other questions follow from another input. */
function toolQuestions({ about }: EventOf<'question-opened'>, state: State): readonly InputBody[] {
  const activity = turnOf(state)?.activity;
  if (activity?.type !== 'running-calls' || !isToolForm(about)) return [];
  const { title, schema, request: key, url, permits } = about;
  return activity.calls.flatMap((one): readonly InputBody[] =>
    one.type === 'running' && one.call.id === about.call
      ? [
          {
            type: 'tool-asked',
            effect: one.effect,
            attempt: one.attempt,
            key,
            title,
            schema,
            ...optional({ url, permits }),
          },
        ]
      : [],
  );
}

function withdrawals({ question }: EventOf<'question-closed'>, state: State): readonly InputBody[] {
  const activity = turnOf(state)?.activity;
  if (activity?.type !== 'prompting-agent') return [];
  const { effect, attempt, requests = [] } = activity;
  return requests.flatMap((request): readonly InputBody[] =>
    request.type === 'asking' && request.question === question
      ? [{ type: 'agent-withdrew', effect, attempt, key: request.key }]
      : [],
  );
}
