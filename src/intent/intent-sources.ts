import type { PromptAtom } from './prompt-atom.ts';
import { shippedAtoms } from './atoms/shipped-atoms.ts';
import type { ConfigAtom } from './config-atom.ts';
import type { RoutingText } from './load-routing.ts';
import { shippedConfigs } from './shipped-configs.ts';
import { shippedVerbs } from './shipped-verbs.ts';
import type { VerbTable } from './verb.ts';

/** Everything that turns are compiled from: what is shipped, and what a project adds. */
export interface IntentSources {
  readonly verbs: VerbTable;
  readonly configs: readonly ConfigAtom[];
  readonly atoms: readonly PromptAtom[];
  readonly routing: readonly RoutingText[];
}

export const shippedSources: IntentSources = {
  verbs: shippedVerbs,
  configs: shippedConfigs,
  atoms: shippedAtoms,
  routing: [],
};
