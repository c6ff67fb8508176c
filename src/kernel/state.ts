/**
 * A session's state: plain JSON, so that `parse(stringify(state))` equals it. It never holds the history, only how
 * much of it the context carries. Everything that grows is bounded by a limit.
 */
import type { BootTime, Time } from './time.ts';
import type { AgentRequestProgress } from './agent-request.ts';
import type { AgentSettings } from './agent-setting.ts';
import type { AgentRef } from './agent.ts';
import type { BudgetName } from './budget-name.ts';
import type { CallProgress } from './call.ts';
import type { Restore } from './checkpoint.ts';
import type { Body } from './content.ts';
import { newContext, type CompactionReason, type Context } from './context.ts';
import type { WaitReason } from './event.ts';
import type { EffectId, QuestionId, SessionId, WorkerId } from './ids.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { LoopWatch } from './loop-watch.ts';
import type { Meaning } from './meaning.ts';
import { modes, type Mode } from './mode.ts';
import type { Ending, Spending } from './outcome.ts';
import type { Place, PushedBranch, SavedFiles } from './place.ts';
import type { QueuedPrompt } from './prompt.ts';
import type { ClosedQuestion, Question } from './question.ts';
import type { AgentCounters, Allotment, WorkerReport } from './report.ts';
import type { Rule } from './rule.ts';

/** Everything a session knows between two inputs, as plain data. */
export interface State {
  readonly id: SessionId;
  /** Sequence of the newest event. */
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly agent: AgentRef;
  readonly mode: Mode;
  readonly cwd: string;
  readonly machine?: string;
  readonly place?: Place;
  /** The newest saved files of the place. */
  readonly saved?: SavedFiles;
  /** The newest pushed result of the place. */
  readonly pushed?: PushedBranch;
  readonly title?: string;
  readonly parent?: SessionId;
  /** The session this one was forked from, and the event it continues from. */
  readonly origin?: Origin;
  /** Imported from a bundle by event `seq`. Foreign until a person continues it. */
  readonly imported?: { readonly seq: number; readonly isForeign: boolean };
  readonly limits: Limits;
  readonly rules: readonly Rule[];
  readonly grants: readonly Rule[];
  readonly queue: { readonly paused: boolean; readonly prompts: readonly QueuedPrompt[] };
  readonly questions: readonly Question[];
  /** The newest closed questions, at most `closedQuestionsKept`. */
  readonly closedQuestions: readonly ClosedQuestion[];
  readonly waits: readonly Wait[];
  readonly workers: readonly LiveWorker[];
  /** Usage of ended children; absent until one ended. */
  readonly childSpending?: Spending;
  /** Limits that the model was warned about, with their value at that time. */
  readonly neared?: Readonly<Partial<Record<BudgetName, number>>>;
  readonly usage: SessionUsage;
  readonly context: Context;
  /** Absent until an external agent has one. */
  readonly agentSession?: AgentSession;
  /** Absent until an external agent reported settings or a person chose one. */
  readonly agentSettings?: AgentSettings;
  /** Recoveries since the last settlement. */
  readonly recoveries: number;
  readonly lastEnding?: { readonly turn: number; readonly ending: Ending };
  readonly phase: Phase;
}

export interface Origin {
  readonly session: SessionId;
  readonly at: number;
}

interface LiveWorker {
  readonly id: WorkerId;
  readonly state: WorkerReport['state'];
  readonly allotment?: Allotment;
  /** Its usage as last reported. */
  readonly spent?: Spending;
}

type Phase =
  | { readonly type: 'new' }
  | { readonly type: 'idle' }
  | { readonly type: 'turn'; readonly turn: Turn }
  /** Cancel was sent; the turn ends with `ending` once nothing is in flight. */
  | { readonly type: 'cancelling'; readonly turn: Turn; readonly ending: Ending; readonly thenClose: boolean }
  /** Restoring files, between turns. */
  | { readonly type: 'restoring'; readonly restore: Restore }
  | { readonly type: 'closed' };

/** Its meaning starts as the prompt's, and the model or the person may refine it. */
export interface Turn extends Meaning {
  /** The sequence of its `turn-started`. */
  readonly id: number;
  readonly startedAt: number;
  readonly kind: 'chat' | 'task' | 'compact';
  /** For a summarizing turn: what to keep. */
  readonly keep?: Body;
  /** The step count at the last compaction in this turn, which isn't repeated before the next step. */
  readonly compactedAt?: number;
  /** The agent of this turn. A change applies to the next one. */
  readonly agent: AgentRef;
  readonly prompts: readonly number[];
  /** How many of the prompts the agent received. */
  readonly told: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly rejections: number;
  readonly denials: number;
  readonly errorsInRow: number;
  readonly failedCalls: number;
  /** An error was counted, and its pause is still due. */
  readonly pauseDue: boolean;
  /** Absent until a call returned a result. */
  readonly loop?: LoopWatch;
  readonly activity: Activity;
}

/** Exactly what is in flight. */
export type Activity =
  /** At a step boundary. Never outlives a step. */
  | { readonly type: 'ready' }
  /** The agent's final reply arrived. Never outlives a step. */
  | { readonly type: 'replied'; readonly reply: number; readonly refused: boolean }
  | CallingModel
  /** A model is asked for the prompt's meaning. */
  | {
      readonly type: 'understanding';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly reserved: number;
    }
  /** A person is asked for the prompt's meaning. */
  | { readonly type: 'clarifying'; readonly question: QuestionId }
  | { readonly type: 'running-calls'; readonly calls: readonly CallProgress[] }
  | { readonly type: 'reviewing-reply'; readonly question: QuestionId }
  | { readonly type: 'pausing'; readonly wait: EffectId }
  /** The turn repeats itself, and a person decides whether it continues. */
  | { readonly type: 'asking-loop'; readonly question: QuestionId }
  /** The model or agent call was interrupted too often, and a person decides whether to retry. */
  | { readonly type: 'asking-repeat'; readonly question: QuestionId; readonly of: RepeatedEffect }
  | PromptingAgent
  | Compacting;

type RepeatedEffect = CallingModel | PromptingAgent | Compacting;

export interface CallingModel {
  readonly type: 'calling-model';
  readonly effect: EffectId;
  readonly attempt: number;
  /** Tokens reserved for the call, charged if it is interrupted, because its usage is then unknown. */
  readonly reserved: number;
  readonly maxOutputTokens?: number;
}

/** A model summarizes the older part of the context. */
interface Compacting {
  readonly type: 'compacting';
  readonly effect: EffectId;
  readonly attempt: number;
  readonly reserved: number;
  readonly why: CompactionReason;
}

export interface PromptingAgent {
  readonly type: 'prompting-agent';
  readonly effect: EffectId;
  readonly attempt: number;
  /** The prompts of this agent turn, by sequence; earlier ones were already delivered. */
  readonly prompts: readonly number[];
  /** Open requests, at most `agentRequestsKept`; absent if none. */
  readonly requests?: readonly AgentRequestProgress[];
  /** Reported calls that were counted, the newest `countedCallsKept`; absent if none. */
  readonly calls?: readonly string[];
  /** It reported its usage. */
  readonly reported?: true;
  /** The process is gone, and it waited for a person's answer: it restarts with the answer. */
  readonly parked?: true;
}

/** The external agent's own session, which a new process can resume. */
export interface AgentSession {
  readonly agent: string;
  readonly id: string;
  /** The agent's counters at the last report; usage is the difference. */
  readonly counted?: AgentCounters;
}

interface Wait {
  readonly effect: EffectId;
  readonly why: WaitReason;
  readonly until: Time;
  readonly due?: BootTime;
}

export interface SessionUsage {
  readonly turns: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  readonly cost: number;
  /** Model calls without a known price; `cost` is then a lower bound. */
  readonly unpricedCalls: number;
  /** Turns of an external agent without reported usage; all figures are then lower bounds. */
  readonly unreportedTurns?: number;
}

export const closedQuestionsKept = 32;

export const noUsage: SessionUsage = {
  turns: 0,
  steps: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  unpricedCalls: 0,
};

/** Shared by all sessions to save memory. */
const none: readonly never[] = [];
const noPrompts: State['queue'] = { paused: false, prompts: none };

/** The state before any event; it accepts only `session-requested`. */
export function newState(id: SessionId): State {
  return {
    id,
    seq: 0,
    createdAt: 0,
    updatedAt: 0,
    agent: { name: '', runs: 'model' },
    mode: modes.interactive,
    cwd: '',
    limits: defaultLimits,
    rules: none,
    grants: none,
    queue: noPrompts,
    questions: none,
    closedQuestions: none,
    waits: none,
    workers: none,
    usage: noUsage,
    context: newContext,
    recoveries: 0,
    phase: { type: 'new' },
  };
}

export function turnOf(state: State): Turn | undefined {
  return state.phase.type === 'turn' || state.phase.type === 'cancelling' ? state.phase.turn : undefined;
}
