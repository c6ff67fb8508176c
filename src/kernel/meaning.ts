import type { Rule } from './rule.ts';

/** What a prompt was understood to mean, and what must be known before its turn's first step. */
export interface Meaning {
  /** Opaque here, read by the prompt compiler. */
  readonly intent?: unknown;
  /** What the intent narrows for this turn: rules that hold beside the session's, and never allow. */
  readonly rules?: readonly Rule[];
  /** A model is asked what is meant, before anything else; what stands here holds if it cannot say. */
  readonly understand?: 'model';
  /** Asked once, before the first step, where somebody can be asked; unanswered, the intent stands. */
  readonly clarify?: Clarify;
}

export interface Clarify {
  readonly text: string;
  readonly options: readonly string[];
}

/** Exactly the parts that are there, of something that may hold more. */
export function meaningOf({ intent, rules, understand, clarify }: Meaning): Meaning {
  return {
    ...(intent !== undefined && { intent }),
    ...(rules !== undefined && { rules }),
    ...(understand !== undefined && { understand }),
    ...(clarify !== undefined && { clarify }),
  };
}

export function hasMeaning({ intent, rules, understand, clarify }: Meaning): boolean {
  return intent !== undefined || rules !== undefined || understand !== undefined || clarify !== undefined;
}
