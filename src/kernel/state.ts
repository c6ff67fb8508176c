/**
 * What a session is at one moment: plain JSON, so that `parse(stringify(state))` is the state.
 * It never holds the history, only how much of it the context carries; what grows is bounded by a limit.
 */
import type { Time } from './time.ts';
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
import type { QueuedPrompt } from './prompt.ts';
import type { ClosedQuestion, Question } from './question.ts';
import type { AgentCounters, Allotment, WorkerReport } from './report.ts';
import type { Rule } from './rule.ts';

/** All that a session knows between two inputs: plain data, the same after `JSON.parse(JSON.stringify(state))`. */
export interface State {
  readonly id: SessionId;
  /** Sequence of the newest event. */
  readonly seq: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly agent: AgentRef;
  readonly mode: Mode;
  readonly cwd: string;
  readonly title?: string;
  readonly parent?: SessionId;
  /** The session this one was forked from, and the event of it that it goes on from. */
  readonly origin?: Origin;
  /** It came from a bundle with the event `seq`. Foreign until a person continues it. */
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
  /** What children that have ended used; absent until one did. */
  readonly childSpending?: Spending;
  /** The limits that the model has been told it is close to, by the value they had then. */
  readonly neared?: Readonly<Partial<Record<BudgetName, number>>>;
  readonly usage: SessionUsage;
  readonly context: Context;
  /** Absent until an external agent has one. */
  readonly agentSession?: AgentSession;
  /** Absent until an external agent has told some, or somebody chose one. */
  readonly agentSettings?: AgentSettings;
  /** Recoveries since something last settled. */
  readonly recoveries: number;
  readonly lastEnding?: { readonly turn: number; readonly ending: Ending };
  readonly phase: Phase;
}

export interface Origin {
  readonly session: SessionId;
  readonly at: number;
}

export interface LiveWorker {
  readonly id: WorkerId;
  readonly state: WorkerReport['state'];
  readonly allotment?: Allotment;
  /** What it used so far, as it reported last. */
  readonly spent?: Spending;
}

export type Phase =
  | { readonly type: 'new' }
  | { readonly type: 'idle' }
  | { readonly type: 'turn'; readonly turn: Turn }
  /** Cancel has been sent; the turn ends with `ending` once nothing of it is in flight. */
  | { readonly type: 'cancelling'; readonly turn: Turn; readonly ending: Ending; readonly thenClose: boolean }
  /** Files go back to a checkpoint, between turns. */
  | { readonly type: 'restoring'; readonly restore: Restore }
  | { readonly type: 'closed' };

/** Its meaning is that of the prompt that started it, and then what the model or the person made of it. */
export interface Turn extends Meaning {
  /** Sequence of its `turn-started`. */
  readonly id: number;
  readonly startedAt: number;
  readonly kind: 'chat' | 'task' | 'compact';
  /** Of a turn that sums up: what its asker wants kept. */
  readonly keep?: Body;
  /** At how many steps the context was last summed up in this turn: not again before the next one. */
  readonly compactedAt?: number;
  /** The agent that serves this turn; a change of agent takes effect with the next one. */
  readonly agent: AgentRef;
  readonly prompts: readonly number[];
  /** How many of the prompts the agent has been given. */
  readonly told: number;
  readonly steps: number;
  readonly toolCalls: number;
  readonly rejections: number;
  readonly denials: number;
  readonly errorsInRow: number;
  readonly failedCalls: number;
  /** An error was counted and its pause has not been taken yet. */
  readonly pauseDue: boolean;
  /** Absent until a call gave a result. */
  readonly loop?: LoopWatch;
  readonly activity: Activity;
}

/** Exactly what is in flight. */
export type Activity =
  /** At a step boundary. Never outlives a step. */
  | { readonly type: 'ready' }
  /** The agent's final reply is in. Never outlives a step. */
  | { readonly type: 'replied'; readonly reply: number; readonly refused: boolean }
  | CallingModel
  /** A model is asked what the prompt means. */
  | {
      readonly type: 'understanding';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly reserved: number;
    }
  /** A person is asked what the prompt means. */
  | { readonly type: 'clarifying'; readonly question: QuestionId }
  | { readonly type: 'running-calls'; readonly calls: readonly CallProgress[] }
  | { readonly type: 'reviewing-reply'; readonly question: QuestionId }
  | { readonly type: 'pausing'; readonly wait: EffectId }
  /** The turn repeats itself; a person says whether it goes on. */
  | { readonly type: 'asking-loop'; readonly question: QuestionId }
  /** The call to the model or agent was cut off too often; a person says whether to try again. */
  | { readonly type: 'asking-repeat'; readonly question: QuestionId; readonly of: RepeatedEffect }
  | PromptingAgent
  | Compacting;

export type RepeatedEffect = CallingModel | PromptingAgent | Compacting;

export interface CallingModel {
  readonly type: 'calling-model';
  readonly effect: EffectId;
  readonly attempt: number;
  /** Tokens set aside for the call: charged if it is cut off, since what it used is then not known. */
  readonly reserved: number;
  readonly maxOutputTokens?: number;
}

/** A model sums up the older part of the context. */
export interface Compacting {
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
  /** The prompts this agent turn brings, by sequence; those before it were brought already. */
  readonly prompts: readonly number[];
  /** What it asked and has no answer to yet; absent where that is nothing. At most `agentRequestsKept`. */
  readonly requests?: readonly AgentRequestProgress[];
  /** Calls it reported that were counted, the newest `countedCallsKept`; absent where there are none. */
  readonly calls?: readonly string[];
  /** It told what it used. */
  readonly reported?: true;
  /** The process is gone and what it waited for is a person's answer: it is started again with that. */
  readonly parked?: true;
}

/** The external agent's own session, by which a new process of it can go on. */
export interface AgentSession {
  readonly agent: string;
  readonly id: string;
  /** The agent's own counters when they were last read; what it reports is what came on top. */
  readonly counted?: AgentCounters;
}

export interface Wait {
  readonly effect: EffectId;
  readonly why: WaitReason;
  readonly until: Time;
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
  /** Model calls whose price is unknown: `cost` is then a lower bound, and says so. */
  readonly unpricedCalls: number;
  /** Turns of an external agent that told nothing of what it used: all figures are then lower bounds. */
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

/** Shared by all sessions, of which there may be many. */
const none: readonly never[] = [];
const noPrompts: State['queue'] = { paused: false, prompts: none };

/** The state before anything happened; only `session-requested` is accepted in it. */
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
