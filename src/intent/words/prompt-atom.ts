/** One piece of a system prompt: its text in three sizes, its conditions, and its relations to other pieces. */
export interface PromptAtom {
  readonly id: string;
  readonly version: number;
  readonly category: AtomCategory;
  readonly content: string;
  readonly concise?: string;
  readonly min?: string;
  readonly priority: number;
  readonly mandatory: boolean;
  /** Only one atom per group is chosen. */
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

/** A prompt needs one of each. */
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
type Dimension = (typeof dimensions)[number];

type AtomCondition = Partial<Readonly<Record<Dimension, readonly string[]>>>;

/** The current situation. An absent dimension is unknown. An empty one is known to hold nothing. */
export type PromptContext = Partial<Readonly<Record<Dimension, readonly string[]>>>;

/** The text in this size, or in the next larger one that exists. */
export function formOf(atom: PromptAtom, form: AtomForm): string {
  if (form === 'full') return atom.content;
  return form === 'concise' ? (atom.concise ?? atom.content) : (atom.min ?? atom.concise ?? atom.content);
}

/** The first dimension in the context that no value of the atom matches. */
export function blockedBy(atom: PromptAtom, context: PromptContext): Dimension | undefined {
  return dimensions.find((dimension) => {
    const wanted = atom.when[dimension];
    const there = context[dimension];
    return wanted !== undefined && there !== undefined && !wanted.some((value) => there.includes(value));
  });
}

const matchPoints = 5;

/** The priority, plus a bonus for every dimension that matched. */
export function scoreOf(atom: PromptAtom, context: PromptContext): number {
  const matched = dimensions.filter((dimension) => {
    const there = context[dimension];
    return there !== undefined && atom.when[dimension]?.some((value) => there.includes(value)) === true;
  });
  return atom.priority + matchPoints * matched.length;
}
