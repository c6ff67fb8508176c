/**
 * The Tool port.
 *
 * 1. `describe` computes the facts that the policy evaluates, before anything runs. It has no side effects.
 * 2. `run` settles exactly once and never rejects, except with a `Fault`. A failure is an `error` result that the
 *    model can act on.
 * 3. `run` rechecks whatever `describe` stated about paths.
 * 4. Once `signal` aborts, `run` ends everything it started, including process trees, and settles as `cancelled`.
 */
import type { AgentAnswer } from '../kernel/agent-request.ts';
import type { CallFacts } from '../kernel/call.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import type { Rule } from '../kernel/rule.ts';

/**
 * Something an agent can do. `describe` reports what a call would touch, without touching it. `run` executes the
 * call.
 */
export interface Tool extends ToolSpec {
  /** Labels that a machine must offer to run agents with this tool. */
  readonly needs?: readonly string[];
  describe(args: unknown, context: ToolContext): CallFacts | Promise<CallFacts>;
  run(args: unknown, context: ToolRun): Promise<ToolEnd>;
}

/** The outcome of a run. `followUps`: changes that it reverted, as calls that would make them. The gate judges each. */
export type ToolEnd = ToolResult & { readonly followUps?: readonly FollowUp[] };

export interface FollowUp {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A tool as a model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments; an object schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Where a call would run. */
export interface ToolContext {
  readonly session: SessionId;
  readonly agent: string;
  /** Where relative paths start; inside the first root. */
  readonly cwd: string;
  /** Folders the session may touch. */
  readonly roots: readonly string[];
  /** True if Rondo can take a checkpoint of all files in `cwd` right before the call. Absent: it can't. */
  readonly keepsFiles?: () => Promise<boolean>;
  /** Deny and ask rules on files. They hold for every tool that names such a file. */
  readonly fileRules?: readonly Rule[];
  /**
   * The facts of the calls before this one in the model's reply, none of which has run. Absent if the call isn't new,
   * so that it may have run already.
   */
  readonly earlier?: () => Promise<readonly CallFacts[]>;
  /** Files as an editor has them. Absent without an editor. */
  readonly buffers?: FileBuffers;
}

/** Where a call runs, and its cancellation signal. */
export interface ToolRun extends ToolContext {
  readonly effect: EffectId;
  /** A fencing token: of two owners' calls for one session, the later one has the higher epoch. */
  readonly epoch: number;
  readonly attempt: number;
  /** The facts that the call was judged by, if it was. `run` does nothing beyond them. */
  readonly facts?: CallFacts;
  readonly signal: AbortSignal;
  /** Streams output to followers. It isn't part of the result. */
  readonly progress: (text: string) => void;
  /** Asks a person while the call runs. Resolves when they answer, decline, or the call is cancelled. */
  readonly ask?: (question: ToolQuestion) => Promise<AgentAnswer>;
  /** Uses the session's model for a server's own text, under the session's rules and budget. */
  readonly sample?: (request: SampleRequest) => Promise<Sampled>;
}

/** A form, or an address where the person acts. */
export interface ToolQuestion {
  readonly title: string;
  /** JSON Schema of the form's values. */
  readonly schema: unknown;
  readonly url?: string;
  /** A yes permits something. */
  readonly permits?: true;
}

/** A server's request for a reply of the session's model. */
export interface SampleRequest {
  readonly server: string;
  readonly system?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly maxTokens: number;
}

export type Sampled =
  | { readonly type: 'completed'; readonly text: string; readonly model: string; readonly isCut: boolean }
  | { readonly type: 'refused'; readonly message: string };

/** Files that an editor may have open, by real path. Never throws. */
export interface FileBuffers {
  /** The text with unsaved changes. Undefined if the file on disk counts. */
  read(file: string): Promise<string | undefined>;
  /** False if the editor didn't write it. */
  write(file: string, text: string): Promise<boolean>;
}
