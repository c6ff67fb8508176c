/** What a prompt asks for, as far as rules can determine. Plain data, stored on the prompt's input and in its event. */
export interface Intent {
  readonly category: Category;
  readonly verb: string;
  readonly target?: Target;
  readonly constraint?: Constraint;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Other readings within ten points of the best, best first. */
  readonly ambiguity: readonly Reading[];
  /** Empty if the request is a single step. */
  readonly steps: readonly IntentStep[];
  /** True if nothing may change. Enforced at the gate unless a rule allows it. */
  readonly readOnly: boolean;
  /** The user's words that made it read-only. */
  readonly readOnlyBecause?: string;
  /** Paths that must stay unchanged. Enforced at the gate. */
  readonly spared?: readonly string[];
  /** The user's words for them. */
  readonly sparedBecause?: string;
  readonly scope: Scope;
  /** Why the user must approve first. Absent if they needn't. */
  readonly confirm?: 'revert' | 'mass-change';
  /**
   * `typed`: the user typed `/verb`. `person`: the user answered a question about it. `program`: a program's own
   * transducer. `default`: nothing was recognized.
   */
  readonly by: 'typed' | 'rules' | 'model' | 'person' | 'program' | 'default';
  /** The pattern or synonym that decided. */
  readonly matched?: string;
  /** The options offered to the user, each with the resulting intent. */
  readonly choices?: readonly IntentChoice[];
}

export interface IntentChoice {
  readonly label: string;
  readonly verb?: string;
  readonly target?: string;
}

export type Category = 'query' | 'mutation' | 'instruction';

export interface Target {
  readonly type: 'file' | 'path' | 'symbol' | 'text';
  readonly text: string;
}

export interface Constraint {
  readonly language?: string;
  /** What must stay unchanged. */
  readonly not?: string;
  /** The text after "without". */
  readonly without?: string;
  /** The text after "but". */
  readonly but?: string;
  /** The text after "only" or "just". */
  readonly only?: string;
}

interface Reading {
  readonly verb: string;
  readonly category: Category;
  readonly score: number;
}

export interface IntentStep {
  readonly text: string;
  readonly verb: string;
  readonly category: Category;
  /** The relation to the previous step. The first step is sequential. */
  readonly relation: StepRelation;
  readonly target?: Target;
}

export type StepRelation = 'sequential' | 'parallel' | 'conditional' | 'fallback';

/** The size of the request: one place, several files, a module, the whole codebase, or unspecified. */
export type Scope = 'one' | 'several' | 'module' | 'codebase' | 'unsaid';
