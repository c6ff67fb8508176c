/** One piece of a system prompt: what it says in three sizes, when it applies, and what it goes with. */
export interface PromptAtom {
  readonly id: string;
  readonly version: number;
  readonly category: AtomCategory;
  readonly content: string;
  readonly concise?: string;
  readonly min?: string;
  readonly priority: number;
  readonly mandatory: boolean;
  /** Of those with the same group one is taken. */
  readonly exclusiveGroup?: string;
  readonly dependsOn: readonly string[];
  readonly conflictsWith: readonly string[];
  readonly when: AtomCondition;
}

export type AtomForm = 'full' | 'concise' | 'min';

/** In printing order. */
export const atomCategories = [
  'identity',
  'safety',
  'protocol',
  'capability',
  'methodology',
  'hallucination',
  'language',
  'framework',
  'domain',
  'campaign',
  'init',
  'context',
  'reviewer',
  'eval',
  'exemplar',
  'knowledge',
  'world_state',
  'others',
] as const;
export type AtomCategory = (typeof atomCategories)[number];

/** A prompt without one of each is no prompt. */
export const skeletonCategories: readonly AtomCategory[] = ['identity', 'safety', 'protocol', 'methodology'];

export const dimensions = [
  'operational_mode',
  'phase',
  'intent_verb',
  'agent_type',
  'language',
  'framework',
  'world_state',
] as const;
export type Dimension = (typeof dimensions)[number];

export type AtomCondition = Partial<Readonly<Record<Dimension, readonly string[]>>>;

/** What is so. A dimension that is absent is unknown; one that is empty is known to hold nothing. */
export type PromptContext = Partial<Readonly<Record<Dimension, readonly string[]>>>;

/** The text in this size; where a size was not written, the next larger one. */
export function formOf(atom: PromptAtom, form: AtomForm): string {
  if (form === 'full') return atom.content;
  return form === 'concise' ? (atom.concise ?? atom.content) : (atom.min ?? atom.concise ?? atom.content);
}

/** The first dimension that the context has and that no value of the atom matches. */
export function blockedBy(atom: PromptAtom, context: PromptContext): Dimension | undefined {
  return dimensions.find((dimension) => {
    const wanted = atom.when[dimension];
    const there = context[dimension];
    return wanted !== undefined && there !== undefined && !wanted.some((value) => there.includes(value));
  });
}

const matchPoints = 5;

/** Priority, and something for every dimension that really matched. */
export function scoreOf(atom: PromptAtom, context: PromptContext): number {
  const matched = dimensions.filter((dimension) => {
    const there = context[dimension];
    return there !== undefined && atom.when[dimension]?.some((value) => there.includes(value)) === true;
  });
  return atom.priority + matchPoints * matched.length;
}
