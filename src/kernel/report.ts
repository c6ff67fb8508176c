import type { Body } from './content.ts';
import type { EffectId, JobId, QuestionId, SessionId, WorkerId } from './ids.ts';
import type { Usage } from './outcome.ts';

/** What a child tells its parent. */
export interface WorkerReport {
  readonly worker: WorkerId;
  readonly state: 'spawned' | 'progressed' | 'completed' | 'failed' | 'stalled' | 'cancelled';
  readonly text?: Body;
  /** All that it and its own children used: so far, or with its ending in the end. */
  readonly usage?: Usage;
  readonly toolCalls?: number;
  /** How many of their calls had no known price; absent where none. */
  readonly unpricedCalls?: number;
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

/** An agent's own running totals: tokens in its context, and US dollars of its session. */
export interface AgentCounters {
  readonly tokens?: number;
  readonly cost?: number;
}

/** A file as the agent changed it; without `before` it is new. */
export interface AgentDiff {
  readonly path: string;
  readonly before?: Body;
  readonly after: Body;
}

/** What an external agent tells during its turn; chunks arrive coalesced, one report a kind. */
export type AgentReport =
  /** `effect` names the text that was streamed; each text of a turn has one of its own, see `agentTextOf`. */
  | { readonly type: 'message'; readonly text: Body; readonly effect?: EffectId }
  | { readonly type: 'thought'; readonly text: Body; readonly effect?: EffectId }
  | {
      readonly type: 'tool-call';
      readonly call: string;
      readonly title?: string;
      readonly kind?: string;
      readonly state: 'pending' | 'in-progress' | 'completed' | 'failed';
      /** Words and terminal output. */
      readonly content?: Body;
      readonly diffs?: readonly AgentDiff[];
      readonly paths?: readonly string[];
      /** It is the first of its call, and counts towards the limits on tool calls. */
      readonly counts?: true;
    }
  | { readonly type: 'plan'; readonly entries: readonly { readonly text: string; readonly state: string }[] }
  | { readonly type: 'usage'; readonly usage: Usage; readonly counted?: AgentCounters }
  | { readonly type: 'mode'; readonly mode: string; readonly modes?: readonly AgentChoice[] }
  | { readonly type: 'options'; readonly options: readonly AgentOption[] }
  /** Its own session: new, taken up again, or begun anew because it could not be; `lost` says what that cost. */
  | {
      readonly type: 'session';
      readonly agent: string;
      readonly id: string;
      readonly how: 'started' | 'resumed' | 'loaded' | 'replaced';
      readonly lost?: string;
    }
  /** Said about the agent, by itself or by its host. */
  | { readonly type: 'notice'; readonly severity: 'info' | 'warning' | 'error'; readonly text: string }
  | {
      readonly type: 'commands';
      readonly commands: readonly { readonly name: string; readonly description: string }[];
    };

export interface AgentChoice {
  readonly id: string;
  readonly name: string;
}

/** Something the agent lets its client set, such as its model. */
export interface AgentOption extends AgentChoice {
  /** What it is about, where the agent says: `mode`, `model`, `thought_level` … */
  readonly category?: string;
  readonly value: string | boolean;
  /** Absent for one that is on or off. */
  readonly choices?: readonly AgentChoice[];
}
