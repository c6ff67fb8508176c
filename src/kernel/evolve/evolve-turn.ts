import { type Call, callIdOf, type CallProgress } from '../call.ts';
import type { Context } from '../context.ts';
import type { Event, Recorded } from '../event.ts';
import { effectIdOf, type CallId } from '../ids.ts';
import type { ModelOutcome, Understanding } from '../input.ts';
import { invariant } from '../invariant.ts';
import { loopAfter } from '../loop-watch.ts';
import { hasMeaning, meaningOf } from '../meaning.ts';
import { optional } from '../optional.ts';
import type { ToolResult, Usage } from '../outcome.ts';
import type { QueuedPrompt } from '../prompt.ts';
import { loseRequests, withRequests } from './prompted-agent.ts';
import type { Activity, State, Turn } from '../state.ts';
import {
  withActivity,
  withAttachments,
  withCall,
  withMeaning,
  withMessage,
  withOutput,
  withReservationCharged,
  withStep,
  withTurn,
  withUsage,
} from './turn-change.ts';

type TurnEvent = Extract<
  Event,
  {
    type:
      | 'turn-started'
      | 'prompt-joined'
      | 'model-call-intended'
      | 'model-settled'
      | 'understanding-intended'
      | 'prompt-understood'
      | 'tool-run-intended'
      | 'job-intended'
      | 'tool-settled'
      | 'call-refused'
      | 'compaction-intended'
      | 'compaction-settled'
      | 'effect-repeated'
      | 'wait-intended'
      | 'wait-ended'
      | 'turn-interrupted'
      | 'turn-ended';
  }
>;

type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { type: Type }>;

export function evolveTurn(state: State, recorded: Recorded, event: TurnEvent): State {
  const { seq, at } = recorded;
  switch (event.type) {
    case 'turn-started': {
      const prompt = promptAt(state, event.prompt);
      const turn = startedTurn(state, prompt, seq, at);
      return taken(
        { ...state, usage: { ...state.usage, turns: state.usage.turns + 1 }, phase: { type: 'turn', turn } },
        prompt,
      );
    }
    case 'prompt-joined': {
      const prompt = promptAt(state, event.prompt);
      const joined = withTurn(state, (turn) => ({
        ...turn,
        prompts: [...turn.prompts, prompt.seq],
        activity: { type: 'ready' },
      }));
      return taken(joined, prompt);
    }
    case 'model-call-intended':
      return withStep(state, () => {
        const { reserved, maxOutputTokens } = event;
        const calling = {
          type: 'calling-model',
          effect: effectIdOf(state.id, seq),
          attempt: 1,
          reserved,
        } as const;
        return maxOutputTokens === undefined ? calling : { ...calling, maxOutputTokens };
      });
    case 'model-settled':
      return modelSettled({ ...state, recoveries: 0 }, event.outcome, seq);
    case 'understanding-intended':
      return withTurn(state, (turn) => {
        const { understand: _, ...rest } = turn;
        const effect = effectIdOf(state.id, seq);
        return { ...rest, activity: { type: 'understanding', effect, attempt: 1, reserved: event.reserved } };
      });
    case 'prompt-understood':
      return understood({ ...state, recoveries: 0 }, event.outcome);
    case 'tool-run-intended':
    case 'job-intended': {
      const counted = withTurn(
        { ...state, usage: { ...state.usage, toolCalls: state.usage.toolCalls + 1 } },
        (turn) => ({ ...turn, toolCalls: turn.toolCalls + 1 }),
      );
      const effect = effectIdOf(state.id, seq);
      return withCall(counted, event.call, ({ call }) => ({ type: 'running', call, effect, attempt: 1 }));
    }
    case 'tool-settled': {
      const { call, result, followUps = [], sampled } = event;
      const output = result.type === 'error' ? result.message : result.output;
      const charged = sampled === undefined ? state : withUsage(state, sampled.usage);
      const after = withPlanned(
        withLoop(withOutput({ ...charged, recoveries: 0 }, output), call, result),
        followUps,
      );
      return withTurn(
        withCall(after, call, () => ({ type: 'settled', id: call, result: result.type })),
        (turn) => countResult(turn, result),
      );
    }
    case 'call-refused': {
      const { call, code, reason } = event;
      const isOwn = !isFollowUp(state, call);
      const settled = withCall(withMessage(state, reason), call, () => ({
        type: 'settled',
        id: call,
        result: 'refused',
      }));
      return withTurn(settled, (turn) => ({
        ...turn,
        failedCalls: turn.failedCalls + (isOwn ? 1 : 0),
        denials: turn.denials + (isOwn && code === 'policy' ? 1 : 0),
        rejections: turn.rejections + (isOwn && code === 'person' ? 1 : 0),
      }));
    }
    case 'compaction-intended': {
      const { why, reserved } = event;
      const effect = effectIdOf(state.id, seq);
      return withActivity(state, { type: 'compacting', effect, attempt: 1, reserved, why });
    }
    case 'compaction-settled':
      return compacted(state, event, seq);
    case 'effect-repeated':
      return repeated(state, event);
    case 'wait-intended': {
      const effect = effectIdOf(state.id, seq);
      const { type: _, ...wait } = event;
      const waiting = { ...state, waits: [...state.waits, { effect, ...wait }] };
      const pauses = event.why === 'error-pause' || event.why === 'provider-reset';
      if (!pauses) return waiting;
      return withTurn(waiting, (turn) => ({
        ...turn,
        pauseDue: false,
        activity: { type: 'pausing', wait: effect },
      }));
    }
    case 'wait-ended': {
      const rest = { ...state, waits: state.waits.filter((wait) => wait.effect !== event.effect) };
      return state.phase.type === 'turn' && isPausingOn(state.phase.turn, event.effect)
        ? withActivity(rest, { type: 'ready' })
        : rest;
    }
    case 'turn-interrupted': {
      invariant(state.phase.type === 'turn' || state.phase.type === 'cancelling', 'E1: a turn is running');
      const { ending, thenClose = false } = event;
      return { ...state, phase: { type: 'cancelling', turn: state.phase.turn, ending, thenClose } };
    }
    case 'turn-ended': {
      invariant(state.phase.type === 'turn' || state.phase.type === 'cancelling', 'E1: a turn is running');
      const { ending } = event;
      const isStopped = ending.type === 'cancelled' || (ending.type === 'failed' && ending.code === 'crash-loop');
      return {
        ...state,
        recoveries: 0,
        waits: [],
        queue: { ...state.queue, paused: state.queue.paused || (isStopped && state.queue.prompts.length > 0) },
        lastEnding: { turn: state.phase.turn.id, ending },
        phase: { type: 'idle' },
      };
    }
  }
}

function promptAt(state: State, seq: number): QueuedPrompt {
  const prompt = state.queue.prompts.find((queued) => queued.seq === seq);
  invariant(prompt !== undefined, 'E4: a turn takes its prompts from the queue');
  return prompt;
}

function taken(state: State, prompt: QueuedPrompt): State {
  const queue = { ...state.queue, prompts: state.queue.prompts.filter((queued) => queued.seq !== prompt.seq) };
  return prompt.request.type === 'chat'
    ? withAttachments(withMessage({ ...state, queue }, prompt.request.text), prompt.request.attachments)
    : { ...state, queue };
}

function startedTurn(state: State, prompt: QueuedPrompt, seq: number, at: number): Turn {
  const { request } = prompt;
  const turn: Turn = {
    id: seq,
    startedAt: at,
    kind: request.type,
    agent: state.agent,
    prompts: [prompt.seq],
    told: 0,
    steps: 0,
    toolCalls: 0,
    rejections: 0,
    denials: 0,
    errorsInRow: 0,
    failedCalls: 0,
    pauseDue: false,
    activity: request.type === 'task' ? planned(request.calls) : { type: 'ready' },
  };
  if (request.type === 'compact' && request.keep !== undefined) return { ...turn, keep: request.keep };
  return request.type === 'chat' && hasMeaning(request) ? { ...turn, ...meaningOf(request) } : turn;
}

function planned(calls: Extract<ModelOutcome, { type: 'completed' }>['calls']): Activity {
  return { type: 'running-calls', calls: calls.map((call): CallProgress => ({ type: 'planned', call })) };
}

function modelSettled(state: State, outcome: ModelOutcome, seq: number): State {
  const charged = outcome.usage === undefined ? state : withUsage(state, outcome.usage);
  const isRunning = state.phase.type === 'turn';
  if (outcome.type !== 'completed') {
    const isError = isRunning && outcome.type !== 'cancelled';
    const withPart = outcome.partial === undefined ? charged : withMessage(charged, outcome.partial);
    return withTurn(withPart, (turn) => ({
      ...turn,
      errorsInRow: turn.errorsInRow + (isError ? 1 : 0),
      pauseDue: isError,
      activity: { type: 'ready' },
    }));
  }
  const counted = withCount(charged, outcome);
  const withReply = withMessage(counted, outcome.text, ...outcome.calls.map((call) => call.args));
  if (outcome.calls.length > 0 && isRunning) return withActivity(withReply, planned(outcome.calls));
  return withActivity(withReply, { type: 'replied', reply: seq, refused: outcome.stop === 'refusal' });
}

/** Without an answer from the model, the rules' result stands. */
function understood(state: State, outcome: Understanding): State {
  const charged = outcome.usage === undefined ? state : withUsage(state, outcome.usage);
  if (outcome.type !== 'understood') return withActivity(charged, { type: 'ready' });
  return withTurn(charged, (turn) => ({ ...withMeaning(turn, outcome.meaning), activity: { type: 'ready' } }));
}

/** Some servers report only uncached input, or nothing: no text has less than a quarter of its estimate. */
function isCount({ estimated, inputTokens }: Usage, { tokens }: Context): boolean {
  return estimated !== true && inputTokens * 4 >= tokens;
}

/** The provider's count replaces our estimate, if the model's window is known. */
function withCount(
  state: State,
  { usage, contextTokens, sent }: Extract<ModelOutcome, { type: 'completed' }>,
): State {
  if (contextTokens === undefined) return state;
  // If the agent changed since the turn began, the next request goes to another model.
  const isOfAgent = activeTurn(state).agent.model === state.agent.model;
  const { counted: _, ...context } = state.context;
  const counted = {
    estimate: context.tokens,
    input: usage.inputTokens,
    ...optional({ sent }),
  };
  return {
    ...state,
    context: { ...context, window: contextTokens, ...(isOfAgent && isCount(usage, context) && { counted }) },
  };
}

function compacted(state: State, { outcome, usage }: EventOf<'compaction-settled'>, seq: number): State {
  const charged = usage === undefined ? state : withUsage(state, usage);
  const rest = 'rest' in outcome ? outcome.rest : undefined;
  const { window } = state.context;
  const context: Context =
    rest === undefined
      ? state.context
      : {
          from: rest.from,
          messages: rest.messages,
          tokens: rest.tokens,
          ...optional({ spans: rest.spans }),
          compaction: { seq },
          ...optional({ window }),
        };
  return withTurn({ ...charged, context, recoveries: 0 }, (turn) => ({
    ...turn,
    compactedAt: turn.steps,
    activity: { type: 'ready' },
  }));
}

function isFollowUp(state: State, id: CallId): boolean {
  const { activity } = activeTurn(state);
  const progress =
    activity.type === 'running-calls' ? activity.calls.find((one) => callIdOf(one) === id) : undefined;
  return progress !== undefined && progress.type !== 'settled' && progress.call.follows !== undefined;
}

function withPlanned(state: State, calls: readonly Call[]): State {
  if (calls.length === 0) return state;
  const { activity } = activeTurn(state);
  invariant(activity.type === 'running-calls', 'E2: a call belongs to a turn that runs calls');
  return withActivity(state, {
    type: 'running-calls',
    calls: [...activity.calls, ...calls.map((call): CallProgress => ({ type: 'planned', call }))],
  });
}

function withLoop(state: State, id: CallId, result: ToolResult): State {
  const { activity, loop } = activeTurn(state);
  const progress =
    activity.type === 'running-calls' ? activity.calls.find((one) => callIdOf(one) === id) : undefined;
  if (progress === undefined || progress.type === 'settled') return state;
  const next = loopAfter(loop, progress.call, result);
  return next === undefined ? state : withTurn(state, (turn) => ({ ...turn, loop: next }));
}

function countResult(turn: Turn, result: ToolResult): Turn {
  const isFault = result.type === 'error' && result.fault === true;
  return {
    ...turn,
    failedCalls: turn.failedCalls + (result.type === 'success' ? 0 : 1),
    pauseDue: turn.pauseDue || isFault,
    errorsInRow: isFault ? turn.errorsInRow + 1 : result.type === 'cancelled' ? turn.errorsInRow : 0,
  };
}

function repeated(state: State, event: Extract<TurnEvent, { type: 'effect-repeated' }>): State {
  const { effect, attempt } = event;
  const { activity } = activeTurn(state);
  switch (activity.type) {
    case 'calling-model':
      return withActivity(withReservationCharged(state, activity), { ...activity, attempt });
    case 'understanding':
    case 'compacting':
      return withActivity(withReservationCharged(state, activity), { ...activity, attempt });
    case 'prompting-agent': {
      const { parked: _, ...prompting } = activity;
      return withRequests(withActivity(state, { ...prompting, attempt }), loseRequests);
    }
    case 'asking-repeat':
      return withActivity(state, { ...activity.of, attempt });
    case 'running-calls': {
      const calls = activity.calls.map((progress): CallProgress =>
        (progress.type === 'running' || progress.type === 'unsure') && progress.effect === effect
          ? { type: 'running', call: progress.call, effect, attempt }
          : progress,
      );
      return withActivity(state, { type: 'running-calls', calls });
    }
    case 'ready':
    case 'replied':
    case 'reviewing-reply':
    case 'clarifying':
    case 'pausing':
    case 'asking-loop':
      invariant(false, 'E5: only an effect in flight is repeated');
  }
}

function activeTurn(state: State): Turn {
  invariant(state.phase.type === 'turn' || state.phase.type === 'cancelling', 'E1: a turn is running');
  return state.phase.turn;
}

function isPausingOn(turn: Turn, wait: string): boolean {
  return turn.activity.type === 'pausing' && turn.activity.wait === wait;
}
