import { optional } from './optional.ts';
import type { Rule } from './rule.ts';

/** A prompt's meaning, and what must be clarified before the turn's first step. */
export interface Meaning {
  /** Opaque here; the prompt compiler reads it. */
  readonly intent?: unknown;
  /** Additional rules for this turn, derived from the intent. They never allow. */
  readonly rules?: readonly Rule[];
  /** Ask a model for the meaning first. If it fails, this meaning stands. */
  readonly understand?: 'model';
  /** Asked once before the first step, if a person can be asked. Without an answer, the intent stands. */
  readonly clarify?: Clarify;
}

export interface Clarify {
  readonly text: string;
  readonly options: readonly string[];
}

/** Picks the present parts from a larger object. */
export function meaningOf({ intent, rules, understand, clarify }: Meaning): Meaning {
  return optional({ intent, rules, understand, clarify });
}

export function hasMeaning({ intent, rules, understand, clarify }: Meaning): boolean {
  return intent !== undefined || rules !== undefined || understand !== undefined || clarify !== undefined;
}
