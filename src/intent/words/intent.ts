/** What a prompt asks for, as far as rules can tell. Plain data: it travels on the prompt's input and in its event. */
export interface Intent {
  readonly category: Category;
  readonly verb: string;
  readonly target?: Target;
  readonly constraint?: Constraint;
  /** 0 to 1. */
  readonly confidence: number;
  /** Other readings that come within ten points of the best, best first. */
  readonly ambiguity: readonly Reading[];
  /** Empty where the request is one step. */
  readonly steps: readonly IntentStep[];
  /** Nothing may be changed: enforced at the gate, where no rule allows it. */
  readonly readOnly: boolean;
  /** The person's words that say so. */
  readonly readOnlyBecause?: string;
  /** Paths that must be left as they are: enforced at the gate. */
  readonly spared?: readonly string[];
  /** The person's words for them. */
  readonly sparedBecause?: string;
  readonly scope: Scope;
  /** Why a person must agree first, where they must. */
  readonly confirm?: 'revert' | 'mass-change';
  /**
   * `typed`: the person wrote `/verb`. `person`: they answered what was meant. `program`: a program's own transducer.
   * `default`: nothing was recognised.
   */
  readonly by: 'typed' | 'rules' | 'model' | 'person' | 'program' | 'default';
  /** The pattern or synonym that decided. */
  readonly matched?: string;
  /** What was offered where the person was asked, and what each makes of the intent. */
  readonly choices?: readonly Choice[];
}

export interface Choice {
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
  /** What must be left as it is. */
  readonly not?: string;
  /** What follows "without". */
  readonly without?: string;
  /** What follows "but". */
  readonly but?: string;
  /** What follows "only" or "just". */
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
  /** To the step before it. The first is sequential. */
  readonly relation: StepRelation;
  readonly target?: Target;
}

export type StepRelation = 'sequential' | 'parallel' | 'conditional' | 'fallback';

/** How much is meant: one place, several files, a module, the whole codebase, or nothing said. */
export type Scope = 'one' | 'several' | 'module' | 'codebase' | 'unsaid';
