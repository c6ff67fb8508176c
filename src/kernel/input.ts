import type { Time } from './time.ts';
import type { Actor } from './actor.ts';
import type { AgentRequest } from './agent-request.ts';
import type { AgentSetting, SettingOutcome } from './agent-setting.ts';
import type { AgentRef } from './agent.ts';
import type { Call, DescribedCall } from './call.ts';
import type { FileCheckpoint, RestoreGoal, RestoreOutcome } from './checkpoint.ts';
import type { Attachment, Body } from './content.ts';
import type { Context, SummaryOutcome } from './context.ts';
import type { EffectId, QuestionId, SessionId } from './ids.ts';
import type { Limits } from './limits.ts';
import type { Meaning } from './meaning.ts';
import type { Mode } from './mode.ts';
import type { Cancelled, Failed, TimedOut, ToolResult, Usage } from './outcome.ts';
import type { Delivery, QueueChange } from './prompt.ts';
import type { Answer } from './question.ts';
import type { AgentReport, WorkerReport } from './report.ts';
import type { Rule } from './rule.ts';
import type { LivenessVerdict } from './verdict.ts';

/** Something that happened to the session. Time and actor come with it: the kernel has no clock. */
export type Input = InputBody & { readonly at: Time; readonly by: Actor };

export type InputBody =
  | ({ readonly type: 'session-requested'; readonly origin?: ForkOrigin } & SessionSetup)
  | ({
      readonly type: 'prompt-received';
      readonly text: Body;
      readonly attachments?: readonly Attachment[];
      readonly delivery: Delivery;
    } & Meaning)
  | { readonly type: 'task-received'; readonly calls: readonly Call[]; readonly delivery: Delivery }
  | { readonly type: 'compaction-requested'; readonly keep?: Body }
  | { readonly type: 'queue-changed'; readonly change: QueueChange }
  | {
      readonly type: 'question-answered';
      readonly question: QuestionId;
      readonly answer: Answer;
      /** What the prompt means after the answer to its clarification. */
      readonly meaning?: Meaning;
    }
  | { readonly type: 'interrupted'; readonly reason?: string }
  | { readonly type: 'agent-changed'; readonly agent: AgentRef }
  /** One of an external agent's own modes or options. */
  | { readonly type: 'agent-setting-chosen'; readonly setting: AgentSetting }
  | { readonly type: 'mode-changed'; readonly mode: Mode }
  | { readonly type: 'policy-changed'; readonly rules: readonly Rule[] }
  | { readonly type: 'limits-changed'; readonly limits: Partial<Limits> }
  | { readonly type: 'worker-reported'; readonly report: WorkerReport }
  | { readonly type: 'verdict-reached'; readonly verdict: LivenessVerdict }
  | { readonly type: 'closed'; readonly reason?: string }
  /** `context` is what it was at `to`, worked out from the journal by whoever sends this. */
  | { readonly type: 'rewound'; readonly to: number; readonly context: Context }
  | { readonly type: 'checkpoint-taken'; readonly checkpoint: FileCheckpoint }
  | ({ readonly type: 'restore-requested' } & RestoreGoal)
  /** What the files are before a restore changes them is kept. */
  | {
      readonly type: 'restore-prepared';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly before: FileCheckpoint;
    }
  | {
      readonly type: 'restore-settled';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly outcome: RestoreOutcome;
    }
  | {
      readonly type: 'model-settled';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly outcome: ModelOutcome;
    }
  | {
      readonly type: 'prompt-understood';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly outcome: Understanding;
    }
  | {
      readonly type: 'tool-settled';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly result: ToolResult;
      /** Changes that were taken back, as the calls that would make them. */
      readonly followUps?: readonly Call[];
    }
  | {
      readonly type: 'job-settled';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly result: ToolResult;
    }
  | {
      readonly type: 'agent-reported';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly report: AgentReport;
    }
  | {
      readonly type: 'agent-asked';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly request: AgentRequest;
    }
  /** It no longer wants to know. */
  | {
      readonly type: 'agent-withdrew';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly key: string;
    }
  | {
      readonly type: 'agent-turn-settled';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly outcome: AgentOutcome;
    }
  | { readonly type: 'agent-setting-settled'; readonly effect: EffectId; readonly outcome: SettingOutcome }
  | {
      readonly type: 'summary-settled';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly outcome: SummaryOutcome;
      readonly usage?: Usage;
    }
  | { readonly type: 'time-reached'; readonly effect: EffectId }
  | {
      readonly type: 'session-recovered';
      readonly epoch: number;
      /** The facts of calls that are not over, worked out again. A call that is missing here doesn't run. */
      readonly calls?: readonly DescribedCall[];
      /** The folder's standing rules as they are now, where there are any. */
      readonly rules?: readonly Rule[];
      /** Owners in a row that ended without coming further than their recovery: the turn is given up. */
      readonly crashes?: number;
    }
  | ({ readonly type: 'session-imported' } & ImportedFrom)
  | ({ readonly type: 'session-continued' } & ContinuedSetup);

export interface ImportedFrom {
  /** The session's id where it was exported. */
  readonly session: SessionId;
  /** Its newest event there. */
  readonly head: number;
  readonly role: 'main' | 'child' | 'shared';
  /** The version that wrote the bundle. */
  readonly rondo?: string;
  /** Why not everything was taken. */
  readonly damage?: string;
  /** The session it was started by, where that was imported with it. */
  readonly parent?: SessionId;
}

/** What a person chooses who goes on with an imported session. */
export type ContinuedSetup = Pick<SessionSetup, 'agent' | 'mode' | 'cwd' | 'limits' | 'rules'>;

export interface SessionSetup {
  readonly agent: AgentRef;
  readonly mode: Mode;
  readonly cwd: string;
  readonly title?: string;
  readonly parent?: SessionId;
  readonly limits?: Partial<Limits>;
  readonly rules?: readonly Rule[];
}

/** What an agent's turn ended as. `retryable`: its process is gone, and a new one can take the turn up. */
export type AgentOutcome =
  | { readonly type: 'completed'; readonly usage?: Usage }
  | (Failed & { readonly retryable?: boolean })
  | Cancelled
  | TimedOut;

/** Where a fork goes on from; `context` is told from the origin's journal. */
export interface ForkOrigin {
  readonly session: SessionId;
  readonly at: number;
  readonly context: Context;
}

/** What a model call ended as. A cancelled or failed one keeps the words that had already arrived. */
export type ModelOutcome =
  | ({ readonly type: 'completed' } & Reply)
  | (Failed & {
      readonly retryable: boolean;
      readonly retryAt?: Time;
      readonly partial?: Body;
      readonly usage?: Usage;
    })
  | (Cancelled & { readonly partial?: Body; readonly usage?: Usage })
  | (TimedOut & { readonly partial?: Body; readonly usage?: Usage });

/** What a model made of a prompt. Without a meaning, what the rules made of it stands, and `problem` says why. */
export type Understanding =
  | { readonly type: 'understood'; readonly meaning: Meaning; readonly usage: Usage; readonly model?: string }
  | { readonly type: 'unclear'; readonly problem: string; readonly usage?: Usage; readonly model?: string }
  | (Cancelled & { readonly usage?: Usage });

export interface Reply {
  readonly text: Body;
  readonly reasoning?: Body;
  readonly calls: readonly Call[];
  readonly usage: Usage;
  readonly stop: 'end' | 'calls' | 'length' | 'refusal';
  /** The model that really answered, where it differs from the one asked for. */
  readonly model?: string;
  /** The window of the model that answered, where it is known. */
  readonly contextTokens?: number;
  /** Our estimate of all that was sent, where the provider counted it: what later estimates are calibrated by. */
  readonly sent?: number;
  /** The provider's own data about the reply, sent back to it unchanged with the conversation. */
  readonly carry?: unknown;
}
