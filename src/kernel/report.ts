import type { Body } from './content.ts';
import type { EffectId, JobId, QuestionId, SessionId, WorkerId } from './ids.ts';
import type { Usage } from './outcome.ts';

/** A child's report to its parent. */
export interface WorkerReport {
  readonly worker: WorkerId;
  readonly state: 'spawned' | 'progressed' | 'completed' | 'failed' | 'stalled' | 'cancelled';
  readonly text?: Body;
  /** Its total usage with its own children, so far or final. */
  readonly usage?: Usage;
  readonly toolCalls?: number;
  /** Calls without a known price; absent if none. */
  readonly unpricedCalls?: number;
  /** Its share of the parent's budget: reported when it is spawned, and when it gets more. */
  readonly allotment?: Allotment;
  readonly job?: JobId;
  readonly session?: SessionId;
  /** The question it waits for, in its own session. */
  readonly question?: QuestionId;
}

/** A child's share of its parent's budget. */
export interface Allotment {
  readonly tokens?: number;
  readonly cost?: number;
  readonly toolCalls?: number;
  /** Live workers that it may have. */
  readonly children?: number;
}

/** An agent's running totals: context tokens, and US dollars of its session. */
export interface AgentCounters {
  readonly tokens?: number;
  readonly cost?: number;
}

/** A file changed by the agent; new if `before` is absent. */
export interface AgentDiff {
  readonly path: string;
  readonly before?: Body;
  readonly after: Body;
}

/** A report of an external agent during its turn. Chunks are coalesced into one report per kind. */
export type AgentReport =
  /** `effect` identifies the streamed text; see `agentTextOf`. */
  | { readonly type: 'message'; readonly text: Body; readonly effect?: EffectId }
  | { readonly type: 'thought'; readonly text: Body; readonly effect?: EffectId }
  | {
      readonly type: 'tool-call';
      readonly call: string;
      readonly title?: string;
      readonly kind?: string;
      readonly state: 'pending' | 'in-progress' | 'completed' | 'failed';
      /** Text and terminal output. */
      readonly content?: Body;
      readonly diffs?: readonly AgentDiff[];
      readonly paths?: readonly string[];
      /** The first report of its call, which counts towards the limits on tool calls. */
      readonly counts?: true;
    }
  | { readonly type: 'plan'; readonly entries: readonly { readonly text: string; readonly state: string }[] }
  | { readonly type: 'usage'; readonly usage: Usage; readonly counted?: AgentCounters }
  | { readonly type: 'mode'; readonly mode: string; readonly modes?: readonly AgentChoice[] }
  | { readonly type: 'options'; readonly options: readonly AgentOption[] }
  /** The agent's own session: new, resumed, or replaced because it couldn't be resumed. `lost` says what that cost. */
  | {
      readonly type: 'session';
      readonly agent: string;
      readonly id: string;
      readonly how: 'started' | 'resumed' | 'loaded' | 'replaced';
      readonly lost?: string;
    }
  /** A notice about the agent, from the agent or its host. */
  | { readonly type: 'notice'; readonly severity: 'info' | 'warning' | 'error'; readonly text: string }
  | {
      readonly type: 'commands';
      readonly commands: readonly { readonly name: string; readonly description: string }[];
    };

export interface AgentChoice {
  readonly id: string;
  readonly name: string;
}

/** A setting that the agent offers, such as its model. */
export interface AgentOption extends AgentChoice {
  /** Its category, if the agent names one: `mode`, `model`, `thought_level` … */
  readonly category?: string;
  readonly value: string | boolean;
  /** Absent for an on/off option. */
  readonly choices?: readonly AgentChoice[];
}
