import { callIdOf, type CallProgress, type DescribedCall } from '../call.ts';
import { estimateAttachment, estimateShown, estimateTokens, type Attachment, type Body } from '../content.ts';
import type { CallId } from '../ids.ts';
import { invariant } from '../invariant.ts';
import { meaningOf, type Meaning } from '../meaning.ts';
import type { Usage } from '../outcome.ts';
import { turnOf, type Activity, type CallingModel, type State, type Turn } from '../state.ts';

export function withTurn(state: State, change: (turn: Turn) => Turn): State {
  const { phase } = state;
  invariant(phase.type === 'turn' || phase.type === 'cancelling', 'E1: a turn is running');
  return { ...state, phase: { ...phase, turn: change(phase.turn) } };
}

export function withActivity(state: State, activity: Activity): State {
  return withTurn(state, (turn) => ({ ...turn, activity }));
}

/** The agent is called and has now received all prompts of the turn. */
export function withStep(state: State, activity: (turn: Turn) => Activity): State {
  const counted = { ...state, usage: { ...state.usage, steps: state.usage.steps + 1 } };
  return withTurn(counted, (turn) => ({
    ...turn,
    steps: turn.steps + 1,
    told: turn.prompts.length,
    activity: activity(turn),
  }));
}

/** Replaces the whole meaning. */
export function withMeaning(turn: Turn, meaning: Meaning): Turn {
  const { intent: _, rules: __, clarify: ___, understand: ____, ...rest } = turn;
  return { ...rest, ...meaningOf(meaning) };
}

type UnsettledCall = Exclude<CallProgress, { type: 'settled' }>;

/** Changes one call. If all calls are settled, the turn is at a step boundary. */
export function withCall(state: State, id: CallId, change: (progress: UnsettledCall) => CallProgress): State {
  return withTurn(state, (turn) => {
    invariant(turn.activity.type === 'running-calls', 'E2: a call belongs to a turn that runs calls');
    const calls = turn.activity.calls.map((progress) =>
      progress.type !== 'settled' && callIdOf(progress) === id ? change(progress) : progress,
    );
    const isOver = calls.every((progress) => progress.type === 'settled');
    return { ...turn, activity: isOver ? { type: 'ready' } : { type: 'running-calls', calls } };
  });
}

/** Adds a message of these bodies to the context. */
export function withMessage(state: State, ...bodies: readonly (Body | undefined)[]): State {
  let { tokens } = state.context;
  for (const body of bodies) if (body !== undefined) tokens += estimateTokens(body);
  return { ...state, context: { ...state.context, messages: state.context.messages + 1, tokens } };
}

/** Adds attachments of the newest message. */
export function withAttachments(state: State, attachments: readonly Attachment[] | undefined): State {
  if (attachments === undefined) return state;
  const tokens = attachments.reduce(
    (sum, attachment) => sum + estimateAttachment(attachment),
    state.context.tokens,
  );
  return { ...state, context: { ...state.context, tokens } };
}

/** Adds the shown part of a tool's output to the context. */
export function withOutput(state: State, output: Body | undefined): State {
  const { messages, tokens } = state.context;
  const outputTokens = output === undefined ? 0 : estimateShown(output);
  return { ...state, context: { ...state.context, messages: messages + 1, tokens: tokens + outputTokens } };
}

export function withUsage(state: State, usage: Usage): State {
  const total = state.usage;
  return {
    ...state,
    usage: {
      ...total,
      inputTokens: total.inputTokens + usage.inputTokens,
      outputTokens: total.outputTokens + usage.outputTokens,
      cachedTokens: total.cachedTokens + (usage.cachedTokens ?? 0),
      reasoningTokens: total.reasoningTokens + (usage.reasoningTokens ?? 0),
      cost: total.cost + (usage.cost ?? 0),
      unpricedCalls: total.unpricedCalls + (usage.cost === undefined ? 1 : 0),
    },
  };
}

/** A lost call's usage is unknown, so its reservation is charged. */
export function withReservationCharged(state: State, { reserved }: Pick<CallingModel, 'reserved'>): State {
  return withUsage(state, reservationOf(reserved));
}

export function reservationOf(reserved: number): Usage {
  return { inputTokens: reserved, outputTokens: 0, estimated: true };
}

/** Updates the facts of open calls. */
export function withFacts(state: State, described: readonly DescribedCall[]): State {
  const activity = turnOf(state)?.activity;
  if (activity?.type !== 'running-calls') return state;
  const factsOf = new Map(described.map(({ call, facts }) => [call, facts]));
  const calls = activity.calls.map((progress): CallProgress => {
    const facts = progress.type === 'settled' ? undefined : factsOf.get(progress.call.id);
    if (progress.type === 'settled' || facts === undefined) return progress;
    return { ...progress, call: { ...progress.call, facts } };
  });
  return withActivity(state, { type: 'running-calls', calls });
}
