import type { PromptAtom } from '../words/prompt-atom.ts';
import { languageAtoms } from './language-atoms.ts';
import { methodAtoms } from './method-atoms.ts';
import { personaAtoms } from './persona-atoms.ts';
import { skeletonAtoms } from './skeleton-atoms.ts';
import { worldAtoms } from './world-atoms.ts';

export const shippedAtoms: readonly PromptAtom[] = [
  ...skeletonAtoms,
  ...personaAtoms,
  ...methodAtoms,
  ...languageAtoms,
  ...worldAtoms,
];
