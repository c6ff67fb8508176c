import type { BootTime, Time } from './time.ts';
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
import type { Cancelled, Failed, SampledUsage, TimedOut, ToolResult, Usage } from './outcome.ts';
import type { Place, PlaceMoved, PushSettled, SavedFiles } from './place.ts';
import type { Delivery, QueueChange } from './prompt.ts';
import type { Answer } from './question.ts';
import type { AgentReport, WorkerReport } from './report.ts';
import type { Rule } from './rule.ts';
import type { LivenessVerdict } from './verdict.ts';

/**
 * Something that happened to the session. It carries time and actor, because the kernel has no clock. `bootTime` is
 * the same moment as `at`, there if the session limits a turn's time.
 */
export type Input = InputBody & { readonly at: Time; readonly by: Actor; readonly bootTime?: BootTime };

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
      /** The prompt's meaning after its clarification. */
      readonly meaning?: Meaning;
      /** The call that the person edited, and its facts now. */
      readonly edited?: DescribedCall;
    }
  | { readonly type: 'interrupted'; readonly reason?: string }
  /** Ends the pause before the next attempt to reach the provider. */
  | { readonly type: 'retry-requested' }
  | { readonly type: 'agent-changed'; readonly agent: AgentRef }
  /** A mode or option of an external agent. */
  | { readonly type: 'agent-setting-chosen'; readonly setting: AgentSetting }
  | { readonly type: 'title-changed'; readonly title: string }
  | { readonly type: 'mode-changed'; readonly mode: Mode }
  /** `revoked`: grants of this session that end, as text. */
  | { readonly type: 'policy-changed'; readonly rules: readonly Rule[]; readonly revoked?: readonly string[] }
  | { readonly type: 'limits-changed'; readonly limits: Partial<Limits> }
  | { readonly type: 'worker-reported'; readonly report: WorkerReport }
  | { readonly type: 'verdict-reached'; readonly verdict: LivenessVerdict }
  | { readonly type: 'closed'; readonly reason?: string }
  /** `context` is the one at `to`, computed from the journal by the sender. */
  | { readonly type: 'rewound'; readonly to: number; readonly context: Context }
  | { readonly type: 'checkpoint-taken'; readonly checkpoint: FileCheckpoint }
  | ({ readonly type: 'restore-requested' } & RestoreGoal)
  /** A checkpoint of the files before a restore changes them. */
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
      readonly sampled?: SampledUsage;
    }
  /** A running tool asks a person: a form, or an address to visit. */
  | {
      readonly type: 'tool-asked';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly key: string;
      readonly title: string;
      readonly schema: unknown;
      readonly url?: string;
      readonly permits?: true;
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
  /** The agent no longer needs the answer. */
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
      /** The current facts of open calls. A call that is missing here doesn't run. */
      readonly calls?: readonly DescribedCall[];
      /** The folder's current standing rules, if any. */
      readonly rules?: readonly Rule[];
      /** Consecutive owners that died right after their recovery: the turn is given up. */
      readonly crashes?: number;
    }
  /** The repository's files are saved, so that another node can continue with them. */
  | { readonly type: 'files-saved'; readonly saved: SavedFiles }
  | ({ readonly type: 'place-moved' } & PlaceMoved)
  | ({ readonly type: 'push-settled' } & PushSettled)
  | ({ readonly type: 'session-imported' } & ImportedFrom)
  | ({ readonly type: 'session-continued' } & ContinuedSetup);

export interface ImportedFrom {
  /** The session's id in the exporting store. */
  readonly session: SessionId;
  /** Its newest event there. */
  readonly head: number;
  readonly role: 'main' | 'child' | 'shared';
  /** The Rondo version that wrote the bundle. */
  readonly rondo?: string;
  /** Why the import is incomplete. */
  readonly damage?: string;
  /** Its parent, if that was imported with it. */
  readonly parent?: SessionId;
}

/** A person's choices for continuing an imported session. */
export type ContinuedSetup = Pick<SessionSetup, 'agent' | 'mode' | 'cwd' | 'limits' | 'rules'>;

export interface SessionSetup {
  readonly agent: AgentRef;
  readonly mode: Mode;
  readonly cwd: string;
  /** The repository whose clone `cwd` is in. */
  readonly place?: Place;
  /** The machine that has `cwd`, if several machines share the store. Only processes there run the session. */
  readonly machine?: string;
  readonly title?: string;
  readonly parent?: SessionId;
  readonly limits?: Partial<Limits>;
  readonly rules?: readonly Rule[];
}

/** How an agent's turn ended. `retryable`: its process is gone, and a new one can continue the turn. */
export type AgentOutcome =
  | { readonly type: 'completed'; readonly usage?: Usage }
  | (Failed & { readonly retryable?: boolean })
  | Cancelled
  | TimedOut;

/** Where a fork continues; `context` refers to the origin's journal. */
export interface ForkOrigin {
  readonly session: SessionId;
  readonly at: number;
  readonly context: Context;
}

/** How a model call ended. A cancelled or failed one keeps the text that arrived. */
export type ModelOutcome =
  | ({ readonly type: 'completed' } & ModelReply)
  | (Failed & {
      readonly retryable: boolean;
      readonly retryAt?: Time;
      readonly partial?: Body;
      readonly usage?: Usage;
    })
  | (Cancelled & { readonly partial?: Body; readonly usage?: Usage })
  | (TimedOut & { readonly partial?: Body; readonly usage?: Usage });

/** A model's reading of a prompt. Without a meaning, the rules' result stands, and `problem` says why. */
export type Understanding =
  | { readonly type: 'understood'; readonly meaning: Meaning; readonly usage: Usage; readonly model?: string }
  | { readonly type: 'unclear'; readonly problem: string; readonly usage?: Usage; readonly model?: string }
  | (Cancelled & { readonly usage?: Usage });

export interface ModelReply {
  readonly text: Body;
  readonly reasoning?: Body;
  readonly calls: readonly Call[];
  readonly usage: Usage;
  readonly stop: 'end' | 'calls' | 'length' | 'refusal';
  /** The model that answered, if it differs from the requested one. */
  readonly model?: string;
  /** The context window of the model that answered, if known. */
  readonly contextTokens?: number;
  /** Our estimate of the whole request, if the provider counted it. Calibrates later estimates. */
  readonly sent?: number;
  /** The provider's opaque data, sent back unchanged with the conversation. */
  readonly carry?: unknown;
}
