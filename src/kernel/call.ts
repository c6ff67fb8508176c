import type { SetFact } from './call-set.ts';
import type { Body } from './content.ts';
import type { Effect } from './effect.ts';
import type { CallId, EffectId, QuestionId } from './ids.ts';
import type { ToolResult } from './outcome.ts';

/** A tool call requested by a model, a task or a program, with its facts. */
export interface Call {
  readonly id: CallId;
  readonly tool: string;
  /** Canonical JSON of the arguments. */
  readonly args: Body;
  readonly facts: CallFacts;
  /** Calls of the same reply that must end first. A failed one counts as ended. */
  readonly after?: readonly CallId[];
  /** Among ready calls, higher runs first (default 0). */
  readonly priority?: number;
  /** The call whose change this one would make. The model didn't ask for it, so a refusal isn't held against it. */
  readonly follows?: CallId;
}

/** A call's current facts, by id. */
export interface DescribedCall {
  readonly call: CallId;
  readonly facts: CallFacts;
}

/** A call without facts yet. */
export interface RequestedCall {
  readonly id: string;
  readonly tool: string;
  /** JSON of the arguments. */
  readonly args: string;
  readonly after?: readonly string[];
  readonly priority?: number;
}

/**
 * What the policy sees of a call. The tool's `describe` determines it before the call is judged; no rule ever sees
 * a raw command line.
 */
export interface CallFacts {
  readonly access: 'read' | 'write' | 'execute' | 'network' | 'talk';
  /** Every command that a shell line would run, however nested. */
  readonly segments?: readonly SegmentFact[];
  readonly paths?: readonly {
    readonly path: string;
    readonly access: 'read' | 'write';
    readonly inside: boolean;
    readonly sensitive?: boolean;
    /** The protected name in it, such as `.git`. Only a rule that states this name covers a change. */
    readonly protects?: string;
    readonly set?: SetFact;
  }[];
  readonly urls?: readonly string[];
  readonly dangers?: readonly {
    readonly rule: string;
    readonly severity: 'deny' | 'ask';
    readonly reason: string;
    /** The part of the call that it concerns. */
    readonly unit?: string;
  }[];
  /** The rules that "allow for this session" would add (default: the tool). */
  readonly grants?: readonly string[];
  /** Runs in a sandbox that passed its probe, without open network. Parts that no rule mentions run unasked. */
  readonly confined?: true;
  /**
   * The call discards uncommitted files that a checkpoint can hold. `asked`: a person must allow it. `kept`: Rondo takes
   * a checkpoint first, and runs the call only if that worked.
   */
  readonly discards?: 'asked' | 'kept';
  /** The files and folders that it deletes although git ignores them. That checkpoint holds them too. */
  readonly deletes?: readonly string[];
  /** `safe`: may run again after a crash. `never`: reported as interrupted. `ask`: a person decides. */
  readonly repeat: 'safe' | 'never' | 'ask';
  /** `exclusive` calls wait for all earlier calls and block all later ones. */
  readonly order: 'parallel' | 'exclusive';
  /** `job`: starts a job and settles with it. */
  readonly runs: 'tool' | 'job';
  /** The call is a question to a person: nothing runs, and the answer is its result. */
  readonly asks?: CallQuestion;
  /** The facts couldn't be determined. Such a call never runs. */
  readonly problem?: { readonly code: string; readonly message: string };
}

/** One command of a shell line, as rules and grants see it. */
export interface SegmentFact {
  /** Program, arguments and environment changes in canonical form. */
  readonly text: string;
  readonly opaque?: boolean;
  /** Other spellings, such as without the environment. A deny or ask for any of them applies. */
  readonly also?: readonly string[];
  readonly effect?: Effect;
  /** The word that makes the command do more than usual. No wildcard covers it. */
  readonly raisedBy?: string;
  /** The digest of the script it runs. */
  readonly pin?: string;
  /** Where it runs, if not in the session's folder. */
  readonly folder?: string;
  /** Its effect depends on more than its words, so no grant covers it. */
  readonly once?: boolean;
  /** Only reads inside the roots, so approving another part of the line covers it too. */
  readonly mild?: boolean;
  /** Rondo runs the parsed arguments itself, and they only read inside the roots. */
  readonly free?: boolean;
  readonly set?: SetFact;
}

export type CallQuestion =
  | { readonly type: 'clarification'; readonly text: Body; readonly options: readonly string[] }
  | { readonly type: 'form'; readonly title: string; readonly schema: unknown };

/** What the model learns about a call that a crash interrupted. */
export const interruptedResult = {
  type: 'error',
  code: 'interrupted',
  message:
    'The process stopped while this call was running. It may or may not have taken effect. Check before you do it again.',
} as const;

/** The progress of one call in a running turn. Each state carries only its own data. */
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
