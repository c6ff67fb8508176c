import type { AgentSetting } from '../kernel/agent-setting.ts';
import type { Actor } from '../kernel/actor.ts';
import type { BudgetName } from '../kernel/budget-name.ts';
import type { CallFacts } from '../kernel/call.ts';
import type { Attachment, Body } from '../kernel/content.ts';
import type { RefusalCode, WaitReason } from '../kernel/event.ts';
import type { CallId, EffectId, QuestionId, SessionId, WorkerId } from '../kernel/ids.ts';
import type { ModelReply } from '../kernel/input.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Cancelled, Ending, Failed, TimedOut } from '../kernel/outcome.ts';
import type { PlaceMoved, PushSettled } from '../kernel/place.ts';
import type { Delivery } from '../kernel/prompt.ts';
import type { Answer, ClosingReason, QuestionSubject } from '../kernel/question.ts';
import type { AgentDiff, AgentReport, WorkerReport } from '../kernel/report.ts';
import type { Rule } from '../kernel/rule.ts';
import type { LivenessVerdict } from '../kernel/verdict.ts';

/** One item of the conversation. Its id and position never change. Its content may. */
export type Item =
  | PromptItem
  | MessageItem
  | CallItem
  | QuestionItem
  | NoticeItem
  | EndingItem
  | WorkerItem
  | AgentTextItem
  | AgentCallItem
  | AgentPlanItem;

/**
 * The sequence of the event that opened the item, such as `12`. If one event opened several items, the later ones
 * are `12.1`, `12.2` and so on. Ids increase through the transcript.
 */
export type ItemId = string;

interface ItemBase {
  readonly id: ItemId;
  /** When it was opened. */
  readonly at: number;
}

/** A prompt that a turn has taken. Before that it is in `waiting` and not part of the conversation. */
export interface PromptItem extends ItemBase {
  readonly type: 'prompt';
  /** The sequence of its `prompt-received`. */
  readonly prompt: number;
  readonly receivedAt: number;
  readonly by: Actor;
  readonly delivery: Delivery;
  /** Whether it started a turn or joined a running one. */
  readonly taken: 'turn-started' | 'joined';
  readonly edited?: Edited;
  readonly asked:
    | { readonly type: 'chat'; readonly text: Body; readonly attachments?: readonly Attachment[] }
    | { readonly type: 'task'; readonly tools: readonly string[] }
    | { readonly type: 'compact'; readonly keep?: Body };
}

export interface Edited {
  readonly by: Actor;
  readonly at: number;
}

/**
 * The model's text, once its call has settled. While it streams, it is in `writing`. A reply that consists only of
 * calls has no message.
 */
export interface MessageItem extends ItemBase {
  readonly type: 'message';
  /** The model call that produced it. Identifies the streamed text. */
  readonly effect: EffectId;
  readonly agent?: string;
  readonly model?: string;
  readonly attempts: number;
  readonly durationMs?: number;
  /** The text received so far, if the message wasn't completed. */
  readonly text: Body;
  readonly reasoning?: Body;
  readonly outcome:
    | { readonly type: 'completed'; readonly stop: ModelReply['stop'] }
    | (Failed & { readonly retryable: boolean })
    | Cancelled
    | TimedOut;
}

export interface CallItem extends ItemBase {
  readonly type: 'call';
  readonly call: CallId;
  readonly tool: string;
  readonly args: Body;
  readonly facts: CallFacts;
  /** The rule that allowed it, refused it or required approval. */
  readonly rule?: string;
  readonly approvedBy?: Actor;
  /** Set once it has started: the sequence and time of its intent. */
  readonly run?: { readonly seq: number; readonly at: number };
  readonly attempts: number;
  readonly state: CallState;
}

export type CallState =
  | { readonly type: 'planned' }
  | { readonly type: 'asking'; readonly question: QuestionId }
  | { readonly type: 'running' }
  | ({ readonly type: 'succeeded'; readonly output: Body; readonly data?: unknown } & CallEnd)
  | ({ readonly type: 'failed'; readonly code: string; readonly message: Body } & CallEnd)
  | ({ readonly type: 'refused'; readonly code: RefusalCode; readonly reason: string } & CallEnd)
  | ({ readonly type: 'cancelled'; readonly output?: Body } & CallEnd);

export interface CallEnd {
  readonly at: number;
  /** Measured from its intent. Absent if it never started. */
  readonly durationMs?: number;
}

export interface QuestionItem extends ItemBase {
  readonly type: 'question';
  readonly question: QuestionId;
  readonly about: QuestionSubject;
  readonly expiresAt?: number;
  readonly state:
    | { readonly type: 'open' }
    | { readonly type: 'answered'; readonly by: Actor; readonly at: number; readonly answer: Answer }
    | { readonly type: ClosingReason; readonly by: Actor; readonly at: number };
}

export interface NoticeItem extends ItemBase {
  readonly type: 'notice';
  readonly by: Actor;
  readonly about: Notice;
}

export type Notice =
  | { readonly type: 'agent-changed'; readonly agent: string; readonly model?: string }
  | { readonly type: 'mode-changed'; readonly mode: string }
  /** One of the external agent's own modes or options. */
  | { readonly type: 'agent-setting-chosen'; readonly setting: AgentSetting }
  | { readonly type: 'policy-changed'; readonly rules: readonly Rule[] }
  | { readonly type: 'limits-changed'; readonly limits: Partial<Limits> }
  | { readonly type: 'limit-neared'; readonly name: BudgetName; readonly used: number; readonly limit: number }
  | ({ readonly type: 'verdict-reached' } & LivenessVerdict)
  /** Something about the external agent itself, such as what it lost in a restart. */
  | { readonly type: 'agent-notice'; readonly severity: 'info' | 'warning' | 'error'; readonly text: string }
  | { readonly type: 'recovered'; readonly epoch: number }
  | { readonly type: 'waiting'; readonly why: WaitReason; readonly until: number; readonly endedAt?: number }
  | { readonly type: 'interrupted'; readonly ending: Ending }
  /** `left-out`: the model no longer gets the older part, and no summary replaces it. */
  | {
      readonly type: 'compacted';
      readonly outcome: 'completed' | 'left-out' | 'failed' | 'unneeded' | 'cancelled';
      readonly summary?: Body;
      readonly message?: string;
    }
  | { readonly type: 'imported'; readonly session: SessionId }
  | { readonly type: 'continued'; readonly agent: string; readonly cwd: string }
  | { readonly type: 'forked'; readonly origin: SessionId; readonly at: number }
  | { readonly type: 'rewound'; readonly to: number }
  | { readonly type: 'files-restored'; readonly to: number; readonly files?: number }
  | { readonly type: 'restore-failed'; readonly to: number; readonly message: string }
  | ({ readonly type: 'place-moved' } & PlaceMoved)
  | ({ readonly type: 'push-settled' } & PushSettled)
  | { readonly type: 'closed'; readonly reason?: string };

export interface EndingItem extends ItemBase {
  readonly type: 'ending';
  readonly by: Actor;
  readonly turn?: number;
  readonly durationMs?: number;
  readonly ending: Ending;
}

export interface WorkerItem extends ItemBase {
  readonly type: 'worker';
  readonly worker: WorkerId;
  readonly session?: SessionId;
  readonly state: WorkerReport['state'];
  readonly text?: Body;
}

interface AgentTextItem extends ItemBase {
  readonly type: 'agent-message' | 'agent-thought';
  /** Identifies the streamed text. */
  readonly effect?: EffectId;
  readonly agent?: string;
  readonly text: Body;
}

/** An external agent's action. The agent reports it, and asks first only if it chooses to. */
export interface AgentCallItem extends ItemBase {
  readonly type: 'agent-call';
  readonly agent?: string;
  readonly call: string;
  readonly title?: string;
  readonly kind?: string;
  /** `unknown`: the agent's turn ended before it reported the call's end. */
  readonly state: ReportOf<'tool-call'>['state'] | 'unknown';
  readonly content?: Body;
  readonly diffs?: readonly AgentDiff[];
  readonly paths?: readonly string[];
  /** Set once the agent has asked for approval: the call in terms of our own tools. */
  readonly asked?: { readonly tool: string; readonly args: Body };
  readonly decided?: AgentCallDecision;
}

/** Whether the agent may proceed, and who or what decided. */
interface AgentCallDecision {
  readonly by: Actor;
  readonly refused?: RefusalCode;
  readonly rule?: string;
  readonly reason?: string;
}

/** The agent's plan. A later plan in the same turn replaces it. */
export interface AgentPlanItem extends ItemBase {
  readonly type: 'agent-plan';
  readonly agent?: string;
  readonly entries: ReportOf<'plan'>['entries'];
}

type ReportOf<Type extends AgentReport['type']> = Extract<AgentReport, { type: Type }>;
