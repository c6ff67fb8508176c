import type { AgentSetting } from '../kernel/agent-setting.ts';
import type { FileCheckpoint } from '../kernel/checkpoint.ts';
import type { Attachment } from '../kernel/content.ts';
import type { ContinuedSetup } from '../kernel/input.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Clarify } from '../kernel/meaning.ts';
import type { Mode } from '../kernel/mode.ts';
import type { Delivery, QueueChange } from '../kernel/prompt.ts';
import type { Answer } from '../kernel/question.ts';
import type { WorkerReport } from '../kernel/report.ts';
import type { Rule } from '../kernel/rule.ts';
import type { LivenessVerdict } from '../kernel/verdict.ts';

/** Input that a person or program may send to a session, in the terms of the public interfaces. */
export type ClientInput =
  | {
      readonly type: 'chat';
      readonly text: string;
      readonly delivery?: Delivery;
      readonly attachments?: readonly Attachment[];
      /** The prompt's intent, if already known, and a question to ask about it. */
      readonly intent?: unknown;
      readonly rules?: readonly Rule[];
      readonly clarify?: Clarify;
    }
  /** A tool call without a model, through the same gate. */
  | { readonly type: 'task'; readonly command: string; readonly args?: unknown; readonly delivery?: Delivery }
  /** Several tool calls as a graph. */
  | { readonly type: 'tasks'; readonly calls: readonly TaskCall[]; readonly delivery?: Delivery }
  /** Summarizes the older part of the conversation, in a separate turn. */
  | { readonly type: 'compact'; readonly keep?: string }
  /** Rewinds the conversation to where the session was last idle, at or before an event. */
  | { readonly type: 'rewind'; readonly to: number }
  /** Restores files to a checkpoint. With `rewind`, the conversation goes back to that event too. */
  | {
      readonly type: 'restore';
      readonly to: number;
      readonly checkpoint: FileCheckpoint;
      readonly rewind?: number;
    }
  | { readonly type: 'answer'; readonly question: string; readonly answer: Answer }
  | { readonly type: 'interrupt'; readonly reason?: string }
  /** Ends the pause before the next attempt to reach the provider. */
  | { readonly type: 'retry-now' }
  | { readonly type: 'queue'; readonly change: QueueChange }
  /** `model` overrides the agent's own. */
  | { readonly type: 'agent'; readonly agent: string; readonly model?: string }
  /** Sets one of an external agent's own modes or options. */
  | { readonly type: 'agent-setting'; readonly setting: AgentSetting }
  /** Renames the session. */
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'mode'; readonly mode: string | Mode }
  | { readonly type: 'policy'; readonly rules: readonly Rule[] }
  /** Adds rules to the session's own, removes some of them, and ends grants. Rules of configuration files stay. */
  | ({ readonly type: 'rules' } & RulesChange)
  | { readonly type: 'limits'; readonly limits: Partial<Limits> }
  | { readonly type: 'worker'; readonly report: WorkerReport }
  | { readonly type: 'verdict'; readonly verdict: LivenessVerdict }
  /** Continues an imported session with the setup that a person chose. */
  | ({ readonly type: 'continue' } & ContinuedSetup)
  | { readonly type: 'close'; readonly reason?: string }
  /** A type that the program registered (`inputs` of `createRondo`). */
  | { readonly type: 'custom'; readonly name: string; readonly data?: unknown };

/** Input that a session accepts directly. A custom input first becomes one of these. */
export type PlainInput = Exclude<ClientInput, { type: 'custom' }>;

/** Rules to remove and grants to end are given as text. */
export interface RulesChange {
  readonly add?: readonly Rule[];
  readonly remove?: readonly string[];
  readonly revoke?: readonly string[];
}

export interface TaskCall {
  readonly id: string;
  readonly command: string;
  readonly args?: unknown;
  readonly after?: readonly string[];
  readonly priority?: number;
}
