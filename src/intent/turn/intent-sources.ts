import type { PromptAtom } from '../words/prompt-atom.ts';
import { shippedAtoms } from '../atoms/shipped-atoms.ts';
import type { ConfigAtom } from '../words/config-atom.ts';
import { programFromData } from '../datalog/program-data.ts';
import type { Program } from '../datalog/evaluate.ts';
import { shippedConfigs } from './shipped-configs.ts';
import { shippedRouting } from '../routing/shipped-routing.generated.ts';
import { shippedVerbs } from '../meaning/shipped-verbs.ts';
import type { VerbTable } from '../words/verb.ts';

/** All sources that turns are compiled from: the shipped ones and the project's additions. */
export interface IntentSources {
  readonly verbs: VerbTable;
  readonly configs: readonly ConfigAtom[];
  readonly atoms: readonly PromptAtom[];
  /** The program that decides who serves a turn and what it may use. */
  readonly routing: Program;
}

export const shippedSources: IntentSources = {
  verbs: shippedVerbs,
  configs: shippedConfigs,
  atoms: shippedAtoms,
  routing: programFromData(shippedRouting),
};
