/**
 * The Tool port.
 *
 * 1. `describe` works out the facts the policy judges by, before anything runs; it has no effect on the world.
 * 2. `run` settles exactly once and never rejects, except with a `Fault`; what goes wrong is an `error`
 *    result that the model can act on.
 * 3. `run` checks again whatever `describe` promised about paths.
 * 4. Once `signal` aborts, `run` ends everything it started, process trees included, and settles `cancelled`.
 */
import type { CallFacts } from '../kernel/call.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { ToolResult } from '../kernel/outcome.ts';

/** Something an agent can do: `describe` says what a call would touch, without touching it; `run` does it. */
export interface Tool extends ToolSpec {
  describe(args: unknown, context: ToolContext): CallFacts | Promise<CallFacts>;
  run(args: unknown, context: ToolRun): Promise<ToolEnd>;
}

/** What a run came to. `followUps`: changes that it took back, as calls that would make them; the gate judges each of them. */
export type ToolEnd = ToolResult & { readonly followUps?: readonly FollowUp[] };

export interface FollowUp {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A tool as a model sees it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Where a call would take place. */
export interface ToolContext {
  readonly session: SessionId;
  readonly agent: string;
  /** Where relative paths start; inside the first root. */
  readonly cwd: string;
  /** Folders the session may touch. */
  readonly roots: readonly string[];
}

/** Where a call takes place, and how it hears of a cancel. */
export interface ToolRun extends ToolContext {
  readonly effect: EffectId;
  /** A fencing token: of two owners' calls for one session the later has the higher epoch. */
  readonly epoch: number;
  readonly attempt: number;
  /** What the call was judged by, where it was. `run` does no more than they say. */
  readonly facts?: CallFacts;
  readonly signal: AbortSignal;
  /** Output as it comes, for followers; not part of the result. */
  readonly progress: (text: string) => void;
}
