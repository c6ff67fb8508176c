import type { BootTime, Time } from './time.ts';
import type { Actor } from './actor.ts';
import type { AgentAnswer, AgentRequest } from './agent-request.ts';
import type { AgentSetting, SettingOutcome } from './agent-setting.ts';
import type { AgentRef } from './agent.ts';
import type { BudgetName } from './budget-name.ts';
import type { Call, DescribedCall } from './call.ts';
import type { FileCheckpoint, FilesRestored, RestoreGoal } from './checkpoint.ts';
import type { CompactionReason, Context, SummaryOutcome } from './context.ts';
import type { CallId, EffectId, QuestionId } from './ids.ts';
import type {
  ContinuedSetup,
  ForkOrigin,
  ImportedFrom,
  ModelOutcome,
  SessionSetup,
  Understanding,
} from './input.ts';
import type { Limits } from './limits.ts';
import type { Meaning } from './meaning.ts';
import type { Mode } from './mode.ts';
import type { Ending, SampledUsage, ToolResult, Usage } from './outcome.ts';
import type { PlaceMoved, PushSettled, SavedFiles } from './place.ts';
import type { Delivery, QueueChange, Request } from './prompt.ts';
import type { Answer, ClosingReason, QuestionSubject } from './question.ts';
import type { AgentReport, WorkerReport } from './report.ts';
import type { Rule } from './rule.ts';
import type { LivenessVerdict } from './verdict.ts';

/**
 * Recorded facts, in order. They are small and additive: an event refers to earlier content by sequence and never
 * repeats it. Streamed text isn't an event.
 *
 * An intent event (`…-intended`) precedes its effect and gives it its id. It records whether the effect may be
 * repeated after a crash.
 */
export type Event =
  | ({ readonly type: 'session-created' } & SessionSetup)
  /** The first event of a fork, in place of `session-created`. */
  | ({ readonly type: 'session-forked'; readonly origin: ForkOrigin } & SessionSetup)
  | { readonly type: 'prompt-received'; readonly request: Request; readonly delivery: Delivery }
  | { readonly type: 'queue-changed'; readonly change: QueueChange }
  | { readonly type: 'turn-started'; readonly prompt: number }
  | { readonly type: 'prompt-joined'; readonly prompt: number }
  | { readonly type: 'model-call-intended'; readonly reserved: number; readonly maxOutputTokens?: number }
  | { readonly type: 'model-settled'; readonly effect: EffectId; readonly outcome: ModelOutcome }
  /** A model is asked for the meaning of the turn's prompt. */
  | { readonly type: 'understanding-intended'; readonly reserved: number }
  | { readonly type: 'prompt-understood'; readonly effect: EffectId; readonly outcome: Understanding }
  | {
      readonly type: 'tool-run-intended';
      readonly call: CallId;
      readonly repeat: 'safe' | 'never' | 'ask';
      readonly rule?: string;
    }
  | { readonly type: 'job-intended'; readonly call: CallId }
  | {
      readonly type: 'tool-settled';
      readonly call: CallId;
      readonly result: ToolResult;
      /** Changes of the call that were taken back, as calls that would make them. They join the turn and are judged. */
      readonly followUps?: readonly Call[];
      /** Model usage that the call's server caused by sampling. */
      readonly sampled?: SampledUsage;
    }
  | {
      readonly type: 'call-refused';
      readonly call: CallId;
      readonly code: RefusalCode;
      readonly reason: string;
      readonly rule?: string;
    }
  | { readonly type: 'agent-turn-intended' }
  | { readonly type: 'agent-reported'; readonly report: AgentReport }
  /** The agent asks for a permission or an answer. `agent-answered` records the decision. */
  | { readonly type: 'agent-asked'; readonly request: AgentRequest }
  /** A restarted agent repeats a request. */
  | { readonly type: 'agent-asked-again'; readonly key: string }
  | {
      readonly type: 'agent-answered';
      readonly key: string;
      readonly answer: AgentAnswer;
      /** Absent if the agent may proceed. */
      readonly refused?: RefusalCode;
      /** The rule that decided, if no person did. */
      readonly rule?: string;
      readonly reason?: string;
    }
  | { readonly type: 'agent-turn-settled'; readonly ending: Ending; readonly usage?: Usage }
  /** Applied at once if the agent runs, otherwise when it starts. */
  | { readonly type: 'agent-setting-chosen'; readonly setting: AgentSetting }
  | { readonly type: 'agent-setting-settled'; readonly effect: EffectId; readonly outcome: SettingOutcome }
  | { readonly type: 'compaction-intended'; readonly why: CompactionReason; readonly reserved: number }
  /** If its outcome has a `rest`, that is the new context. */
  | {
      readonly type: 'compaction-settled';
      readonly effect: EffectId;
      readonly outcome: SummaryOutcome;
      readonly usage?: Usage;
    }
  | { readonly type: 'effect-repeated'; readonly effect: EffectId; readonly attempt: number }
  | { readonly type: 'question-opened'; readonly about: QuestionSubject; readonly expiresAt?: Time }
  | {
      readonly type: 'question-answered';
      readonly question: QuestionId;
      readonly answer: Answer;
      readonly meaning?: Meaning;
      /** The call that runs with the answer's arguments, and their facts. */
      readonly edited?: DescribedCall;
    }
  | { readonly type: 'question-closed'; readonly question: QuestionId; readonly reason: ClosingReason }
  | {
      readonly type: 'wait-intended';
      readonly why: WaitReason;
      readonly until: Time;
      /** The same moment on a clock that nobody can set, for a turn's time limit. */
      readonly due?: BootTime;
    }
  | { readonly type: 'wait-ended'; readonly effect: EffectId }
  | { readonly type: 'turn-interrupted'; readonly ending: Ending; readonly thenClose?: boolean }
  | { readonly type: 'turn-ended'; readonly ending: Ending }
  | { readonly type: 'agent-changed'; readonly agent: AgentRef }
  | { readonly type: 'title-changed'; readonly title: string }
  | { readonly type: 'mode-changed'; readonly mode: Mode }
  /** `revoked`: grants of this session that end, as text. */
  | { readonly type: 'policy-changed'; readonly rules: readonly Rule[]; readonly revoked?: readonly string[] }
  | { readonly type: 'limits-changed'; readonly limits: Partial<Limits> }
  | { readonly type: 'worker-reported'; readonly report: WorkerReport }
  /** 80 % of a budget is used. The model is warned once per value of the limit. */
  | {
      readonly type: 'limit-neared';
      readonly name: BudgetName;
      readonly used: number;
      readonly limit: number;
    }
  | { readonly type: 'verdict-reached'; readonly verdict: LivenessVerdict }
  | { readonly type: 'session-recovered'; readonly epoch: number }
  /** After a recovery: the current facts of open calls, which replace the recorded ones. */
  | { readonly type: 'calls-described'; readonly calls: readonly DescribedCall[] }
  | { readonly type: 'files-saved'; readonly saved: SavedFiles }
  | ({ readonly type: 'place-moved' } & PlaceMoved)
  /** Rondo pushes the result of a turn. Repeating that has no further effect, so it needs no intent. */
  | ({ readonly type: 'push-settled' } & PushSettled)
  /** The history before it came from a bundle. The model sees it as a quotation, and nothing in it acts. */
  | ({ readonly type: 'session-imported' } & ImportedFrom)
  /** A person continued an imported session and chose its agent, rules, folder and limits. */
  | ({ readonly type: 'session-continued' } & ContinuedSetup)
  | { readonly type: 'session-closed'; readonly reason?: string }
  /** The conversation continues from an earlier event; later events stay in the journal. */
  | { readonly type: 'rewound'; readonly to: number; readonly context: Context }
  /** `effect` is the restore it belongs to. */
  | { readonly type: 'checkpoint-taken'; readonly checkpoint: FileCheckpoint; readonly effect?: EffectId }
  | ({ readonly type: 'restore-intended' } & RestoreGoal)
  | FilesRestored
  /** The conversation is unchanged. So are the files, unless the message names what couldn't be restored. */
  | { readonly type: 'restore-failed'; readonly to: number; readonly message: string }
  /** For programs with their own `step`; views ignore it. */
  | { readonly type: 'custom'; readonly name: string; readonly data: unknown };

/** An event with its sequence: what the journal stores and followers receive. */
export interface Recorded {
  readonly seq: number;
  readonly at: number;
  readonly by: Actor;
  readonly event: Event;
}

export type WaitReason = 'error-pause' | 'provider-reset' | 'wall-time' | 'cancel-grace' | 'question-expiry';

export type RefusalCode = 'policy' | 'person' | 'expired' | 'interrupted' | 'limit' | 'graph';
