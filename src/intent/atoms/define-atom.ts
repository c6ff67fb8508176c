import type { AtomCategory, PromptAtom } from '../words/prompt-atom.ts';

type Optional = 'mandatory' | 'dependsOn' | 'conflictsWith' | 'when' | 'version';

/** Creates an atom of a category with the usual defaults. */
export function defineAtom(
  category: AtomCategory,
  atom: Omit<PromptAtom, 'category' | Optional> & Partial<Pick<PromptAtom, Optional>>,
): PromptAtom {
  return { version: 1, mandatory: false, dependsOn: [], conflictsWith: [], when: {}, ...atom, category };
}
