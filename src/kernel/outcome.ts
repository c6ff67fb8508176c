import type { Body } from './content.ts';

/** The one set of endings, for models, tools, jobs, external agents, turns and sessions. */
export type Ending = { readonly type: 'completed' } | Failed | Cancelled | TimedOut;

export interface Failed {
  readonly type: 'failed';
  readonly code: FailureCode;
  readonly message: string;
}

export interface Cancelled {
  readonly type: 'cancelled';
  readonly reason?: string;
}

export interface TimedOut {
  readonly type: 'timed-out';
  readonly message: string;
}

export type FailureCode =
  | `limit-${LimitName}`
  | 'model-auth'
  | 'model-refused'
  | 'model-unavailable'
  | 'model-rate-limited'
  | 'model-invalid'
  /** The conversation is longer than the model takes. */
  | 'model-context-full'
  | 'errors-in-row'
  | 'crash-loop'
  | 'looping'
  | 'stuck'
  | 'task-failed'
  | 'task-refused'
  | 'tool-only'
  | 'agent-failed'
  | 'agent-unavailable'
  | 'agent-timeout'
  | 'job-failed'
  | 'reply-rejected'
  | 'compaction-failed'
  | 'fault';

/** Every code, for those who check words of others. */
export const failureCodes: readonly string[] = Object.keys({
  'limit-steps': true,
  'limit-tool-calls': true,
  'limit-rejections': true,
  'limit-denials': true,
  'limit-tokens': true,
  'limit-cost': true,
  'limit-wall-time': true,
  'limit-children': true,
  'model-auth': true,
  'model-refused': true,
  'model-unavailable': true,
  'model-rate-limited': true,
  'model-invalid': true,
  'model-context-full': true,
  'errors-in-row': true,
  'crash-loop': true,
  looping: true,
  stuck: true,
  'task-failed': true,
  'task-refused': true,
  'tool-only': true,
  'agent-failed': true,
  'agent-unavailable': true,
  'agent-timeout': true,
  'job-failed': true,
  'reply-rejected': true,
  'compaction-failed': true,
  fault: true,
} satisfies Record<FailureCode, true>);

export type LimitName =
  | 'steps'
  | 'tool-calls'
  | 'rejections'
  | 'denials'
  | 'tokens'
  | 'cost'
  | 'wall-time'
  | 'children';

/**
 * What a tool gave. `error` is an ordinary answer that the model reads and acts on; a `fault` is the
 * world failing under the tool and counts towards the consecutive-error breaker.
 */
export type ToolResult =
  | { readonly type: 'success'; readonly output: Body; readonly data?: unknown }
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: Body;
      readonly retryable?: boolean;
      readonly fault?: boolean;
    }
  | { readonly type: 'cancelled'; readonly output?: Body };

/** Tokens and money, as far as the provider reports them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  /** In US dollars. Absent means the price is unknown, which is never the same as zero. */
  readonly cost?: number;
  /** The provider gave no count; these figures are ours. */
  readonly estimated?: boolean;
}

/** What can be added up over a tree of sessions. */
export interface Spending {
  readonly tokens: number;
  /** How many of the tokens were output, and how many calls had no known price; absent where none. */
  readonly outputTokens?: number;
  readonly unpricedCalls?: number;
  readonly cost: number;
  /** Absent in what was recorded before they were counted here. */
  readonly toolCalls?: number;
}
