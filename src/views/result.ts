/** A run's result, for scripts: the last line of `rondo run --json` and its exit code. */
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { Ending, FailureCode } from '../kernel/outcome.ts';
import { turnOf, type State } from '../kernel/state.ts';
import { openQuestionsOf, type OpenQuestion } from './open-question.ts';
import { noRefusals, type Refusals, type RefusedCall } from './refusals.ts';
import { isBlockedOnPerson } from './status.ts';
import { totalUsageOf, type ChildUsage } from './total-usage.ts';

export type Outcome =
  | 'completed'
  | 'failed'
  | 'needs-input'
  | 'refused'
  | 'limit'
  | 'unavailable'
  | 'timed-out'
  | 'cancelled';

/** The result record without `resume`, which is a command and belongs to the CLI. */
export interface Result {
  readonly type: 'result';
  readonly session: SessionId;
  readonly outcome: Outcome;
  /** Why it didn't complete. */
  readonly reason?: string;
  readonly text: string;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cost: number;
    readonly costIsKnown: boolean;
    readonly children?: ChildUsage;
  };
  readonly steps: number;
  readonly toolCalls: number;
  readonly questions: readonly OpenQuestion[];
  /** Every call that a rule or a person refused. */
  readonly refusals: readonly RefusedCall[];
}

/**
 * The context of a result: `ending` is that of the requested turn, if the session may have started another one
 * since.
 */
interface ResultOptions {
  /** The agent's answer. */
  readonly text: string;
  /** The requested ending, if it isn't the session's newest. */
  readonly ending?: Ending;
  /** The questions that block it, if known: its own or its workers'. */
  readonly asked?: readonly OpenQuestion[];
  /** The turn's refusals. Default: none. */
  readonly refusals?: Refusals;
}

export function resultOf(state: State, { text, ending, asked, refusals = noRefusals }: ResultOptions): Result {
  const { inputTokens, outputTokens, cost, costIsKnown, children, steps, toolCalls } = totalUsageOf(state);
  const ended = ending === undefined ? verdictOf(state, asked) : endingVerdict(ending);
  const { outcome, reason } = refusedVerdict(state, ended, refusals) ?? ended;
  const result = {
    type: 'result',
    session: state.id,
    outcome,
    text,
    usage: { inputTokens, outputTokens, cost, costIsKnown, ...optional({ children }) },
    steps,
    toolCalls,
    questions: outcome === 'needs-input' && asked !== undefined ? asked : openQuestionsOf(state),
    refusals: refusals.all,
  } as const;
  return reason === undefined ? result : { ...result, reason };
}

export function exitCodeOf(outcome: Outcome): number {
  switch (outcome) {
    case 'completed':
      return 0;
    case 'failed':
      return 1;
    case 'needs-input':
      return 3;
    case 'refused':
      return 4;
    case 'limit':
      return 5;
    case 'unavailable':
      return 6;
    case 'timed-out':
      return 7;
    case 'cancelled':
      return 130;
  }
}

/** The outcome of a turn's end, for scripts. */
export function outcomeOf(ending: Ending): Outcome {
  return endingVerdict(ending).outcome;
}

interface RunVerdict {
  readonly outcome: Outcome;
  readonly reason?: string | undefined;
}

/** If nobody can be asked, a run failed when something it needed was denied and stayed denied. */
function refusedVerdict({ mode }: State, { outcome }: RunVerdict, { needed }: Refusals): RunVerdict | undefined {
  const [first, ...others] = needed;
  if (outcome !== 'completed' || mode.asks !== 'nobody' || first === undefined) return undefined;
  const what = first.summary === '' ? first.tool : `${first.tool} (${first.summary})`;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return {
    outcome: 'refused',
    reason: `The policy refused what the run needed: ${what}, rule ${first.rule}${more}.`,
  };
}

/** An abandoned turn has failed, whatever the previous one did. */
function verdictOf(state: State, asked: readonly OpenQuestion[] = []): RunVerdict {
  if (isBlockedOnPerson(state)) return { outcome: 'needs-input', reason: 'A question is open.' };
  if (turnOf(state) !== undefined && asked.length > 0)
    return { outcome: 'needs-input', reason: 'A worker has a question.' };
  if (turnOf(state) !== undefined) return { outcome: 'failed', reason: 'The run stopped before its turn ended.' };
  return state.lastEnding === undefined ? { outcome: 'completed' } : endingVerdict(state.lastEnding.ending);
}

function endingVerdict(ending: Ending): RunVerdict {
  switch (ending.type) {
    case 'completed':
      return { outcome: 'completed' };
    case 'cancelled':
      return { outcome: 'cancelled', reason: ending.reason };
    case 'timed-out':
      return { outcome: 'timed-out', reason: ending.message };
    case 'failed':
      return { outcome: failureOutcome(ending.code), reason: ending.message };
  }
}

function failureOutcome(code: FailureCode): Outcome {
  switch (code) {
    case 'task-refused':
    case 'limit-rejections':
    case 'limit-denials':
      return 'refused';
    case 'limit-steps':
    case 'limit-tool-calls':
    case 'limit-tokens':
    case 'limit-cost':
    case 'limit-wall-time':
    case 'limit-children':
      return 'limit';
    case 'model-unavailable':
    case 'model-rate-limited':
    case 'agent-unavailable':
    case 'agent-timeout':
      return 'unavailable';
    case 'model-auth':
    case 'model-refused':
    case 'model-invalid':
    case 'model-context-full':
    case 'errors-in-row':
    case 'crash-loop':
    case 'looping':
    case 'stuck':
    case 'task-failed':
    case 'tool-only':
    case 'agent-failed':
    case 'job-failed':
    case 'reply-rejected':
    case 'compaction-failed':
    case 'fault':
      return 'failed';
  }
}
