import type { Body } from './content.ts';
import type { Effect } from './effect.ts';
import type { CallId, EffectId, QuestionId } from './ids.ts';
import type { ToolResult } from './outcome.ts';

/** A tool call as a model, a task or a program asked for it, together with what is known about it. */
export interface Call {
  readonly id: CallId;
  readonly tool: string;
  /** Canonical JSON of the arguments. */
  readonly args: Body;
  readonly facts: CallFacts;
  /** Calls of the same reply that must have ended first. A failed one counts as ended. */
  readonly after?: readonly CallId[];
  /** Higher runs first among those that are ready. Default 0. */
  readonly priority?: number;
  /** The call whose change this one would make. The model didn't ask for it, so a refusal isn't held against it. */
  readonly follows?: CallId;
}

/** What is known about a call today, by its id. */
export interface DescribedCall {
  readonly call: CallId;
  readonly facts: CallFacts;
}

/** A call before its facts are known. */
export interface RequestedCall {
  readonly id: string;
  readonly tool: string;
  /** JSON of the arguments. */
  readonly args: string;
  readonly after?: readonly string[];
  readonly priority?: number;
}

/**
 * What the policy may look at. Worked out by the tool's `describe` before the call is judged; no
 * rule ever sees a raw command line.
 */
export interface CallFacts {
  readonly access: 'read' | 'write' | 'execute' | 'network' | 'talk';
  /** Every command a shell line would run, wherever it hides. */
  readonly segments?: readonly SegmentFact[];
  readonly paths?: readonly {
    readonly path: string;
    readonly access: 'read' | 'write';
    readonly inside: boolean;
    readonly sensitive?: boolean;
    /** The protected name in it, such as `.git`: only a rule that states this name covers a change. */
    readonly protects?: string;
  }[];
  readonly urls?: readonly string[];
  readonly dangers?: readonly {
    readonly rule: string;
    readonly severity: 'deny' | 'ask';
    readonly reason: string;
    /** The part of the call that it is about. */
    readonly unit?: string;
  }[];
  /** What "allow for this session" would add, as rule texts. Default: the tool itself. */
  readonly grants?: readonly string[];
  /** It runs in a sandbox that passed its probe, without open network: parts that no rule speaks about run unasked. */
  readonly confined?: true;
  /**
   * Uncommitted files are lost by it, all of which a checkpoint could hold. `asked`: a danger says so. `kept`: it runs
   * only once they are in a checkpoint taken right before.
   */
  readonly discards?: 'asked' | 'kept';
  /** `safe`: may run again after a crash. `never`: reported as interrupted. `ask`: a person decides. */
  readonly repeat: 'safe' | 'never' | 'ask';
  /** `exclusive` calls wait for all earlier ones and hold up all later ones. */
  readonly order: 'parallel' | 'exclusive';
  /** `job`: the call starts a job and settles when the job does. */
  readonly runs: 'tool' | 'job';
  /** The call is itself a question to a person: nothing runs, the answer is its result. */
  readonly asks?: CallQuestion;
  /** The facts could not be worked out; a call with a problem never runs. */
  readonly problem?: { readonly code: string; readonly message: string };
}

/** One command of a shell line, as rules and grants see it. */
export interface SegmentFact {
  /** Program, arguments and environment changes in canonical form. */
  readonly text: string;
  readonly opaque?: boolean;
  /** Other spellings, such as the same without its environment: a deny or an ask for one of them holds too. */
  readonly also?: readonly string[];
  readonly effect?: Effect;
  /** The word that makes the command do more than it usually does: no wildcard covers it. */
  readonly raisedBy?: string;
  /** The digest of the script that it runs. */
  readonly pin?: string;
  /** Where it runs, if not in the session's folder. */
  readonly folder?: string;
  /** What it does depends on more than its words, so that no grant covers it. */
  readonly once?: boolean;
  /** It only reads inside the roots: whoever covers another part of the line covers this one too. */
  readonly mild?: boolean;
  /** Rondo runs the parsed arguments itself, and they only read inside the roots. */
  readonly free?: boolean;
}

export type CallQuestion =
  | { readonly type: 'clarification'; readonly text: Body; readonly options: readonly string[] }
  | { readonly type: 'form'; readonly title: string; readonly schema: unknown };

/** What the model learns of a call that the process's end cut off. */
export const interruptedResult = {
  type: 'error',
  code: 'interrupted',
  message:
    'The process stopped while this call was running. It may or may not have taken effect. Check before you do it again.',
} as const;

/** Where one call of a running turn stands. Each state carries only its own data. */
export type CallProgress =
  | { readonly type: 'planned'; readonly call: Call }
  | { readonly type: 'asking'; readonly call: Call; readonly question: QuestionId }
  | { readonly type: 'granted'; readonly call: Call }
  | { readonly type: 'running'; readonly call: Call; readonly effect: EffectId; readonly attempt: number }
  | {
      readonly type: 'unsure';
      readonly call: Call;
      readonly effect: EffectId;
      readonly attempt: number;
      readonly question: QuestionId;
    }
  | { readonly type: 'settled'; readonly id: CallId; readonly result: ToolResult['type'] | 'refused' };

export function callIdOf(progress: CallProgress): CallId {
  return progress.type === 'settled' ? progress.id : progress.call.id;
}
