import type { PromptAtom } from './prompt-atom.ts';
import { shippedAtoms } from './atoms/shipped-atoms.ts';
import type { ConfigAtom } from './config-atom.ts';
import { programFromData } from './datalog/program-data.ts';
import type { Program } from './datalog/evaluate.ts';
import { shippedConfigs } from './shipped-configs.ts';
import { shippedRouting } from './shipped-routing.generated.ts';
import { shippedVerbs } from './shipped-verbs.ts';
import type { VerbTable } from './verb.ts';

/** Everything that turns are compiled from: what is shipped, and what a project adds. */
export interface IntentSources {
  readonly verbs: VerbTable;
  readonly configs: readonly ConfigAtom[];
  readonly atoms: readonly PromptAtom[];
  /** What decides who serves a turn and what it may use. */
  readonly routing: Program;
}

export const shippedSources: IntentSources = {
  verbs: shippedVerbs,
  configs: shippedConfigs,
  atoms: shippedAtoms,
  routing: programFromData(shippedRouting),
};
