import type { Body } from './content.ts';

/** The endings of models, tools, jobs, external agents, turns and sessions. */
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
  /** The conversation exceeds the model's context. */
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

/** Every code, for validation. */
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
 * A tool's result. `error` is an ordinary answer for the model to act on. A `fault` is a failure of the outside
 * world and counts towards the consecutive-error limit.
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

/** Tokens and money, as reported by the provider. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  /** US dollars. Absent if the price is unknown, which isn't zero. */
  readonly cost?: number;
  /** Our estimate, because the provider gave no count. */
  readonly estimated?: boolean;
}

/** Model usage that a tool caused by sampling. */
export interface SampledUsage {
  readonly usage: Usage;
  readonly model: string;
}

/** What can be summed over a tree of sessions. */
export interface Spending {
  readonly tokens: number;
  /** Output tokens, and calls without a known price; absent if none. */
  readonly outputTokens?: number;
  readonly unpricedCalls?: number;
  readonly cost: number;
  /** Absent in older records. */
  readonly toolCalls?: number;
}
