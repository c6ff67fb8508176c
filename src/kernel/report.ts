import type { Body } from './content.ts';
import type { JobId, QuestionId, SessionId, WorkerId } from './ids.ts';
import type { Usage } from './outcome.ts';

/** What a child tells its parent. */
export interface WorkerReport {
  readonly worker: WorkerId;
  readonly state: 'spawned' | 'progressed' | 'completed' | 'failed' | 'stalled' | 'cancelled';
  readonly text?: Body;
  /** With its ending: all that it and its own children used. */
  readonly usage?: Usage;
  readonly toolCalls?: number;
  /** Set aside for it from the parent's budget: said when it is spawned, and again when it gets more. */
  readonly allotment?: Allotment;
  readonly job?: JobId;
  readonly session?: SessionId;
  /** It waits for the answer to this question, which is in its own session. */
  readonly question?: QuestionId;
}

/** A child's share of its parent's budget. */
export interface Allotment {
  readonly tokens?: number;
  readonly cost?: number;
  readonly toolCalls?: number;
  /** Live workers that it may have below it. */
  readonly children?: number;
}

/** What an external agent tells during its turn; chunks arrive coalesced, one report a kind. */
export type AgentReport =
  | { readonly type: 'message'; readonly text: Body }
  | { readonly type: 'thought'; readonly text: Body }
  | {
      readonly type: 'tool-call';
      readonly call: string;
      readonly title?: string;
      readonly kind?: string;
      readonly state: 'pending' | 'in-progress' | 'completed' | 'failed';
      readonly content?: Body;
    }
  | { readonly type: 'plan'; readonly entries: readonly { readonly text: string; readonly state: string }[] }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'mode'; readonly mode: string }
  | {
      readonly type: 'commands';
      readonly commands: readonly { readonly name: string; readonly description: string }[];
    };
