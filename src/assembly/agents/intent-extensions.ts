/** A trusted project's additions to how prompts are understood, from `.rondo/intent/`. */
import type { LoadedConfig } from '../../agents/config-layers.ts';
import { problemToText, type ConfigProblem } from '../../agents/config-problem.ts';
import type { IntentSources } from '../../intent/turn/intent-sources.ts';
import { Fault } from '../../kernel/fault.ts';
import type { TurnCompilation } from './turn-compilation.ts';

/** Undefined if the project adds nothing. Nothing is loaded then. */
export async function intentSourcesOf(loaded: LoadedConfig): Promise<IntentSources | undefined> {
  const extensions = await readExtensions(loaded);
  if (extensions === undefined || extensions.type === 'loaded') return extensions?.sources;
  throw new Fault('unreadable', extensions.problems.map(problemToText).join('\n'));
}

/** How prompts are compiled under a configuration. */
export async function turnsOf(loaded: LoadedConfig): Promise<TurnCompilation> {
  const [sources, turns] = await Promise.all([intentSourcesOf(loaded), import('./turn-compilation.ts')]);
  return sources === undefined ? turns.shippedCompilation() : turns.createTurnCompilation(sources);
}

/** Names of the verbs that the project adds. */
export async function ownVerbs(loaded: LoadedConfig): Promise<readonly string[]> {
  const sources = await intentSourcesOf(loaded);
  if (sources === undefined) return [];
  const { shippedSources } = await import('../../intent/turn/intent-sources.ts');
  return [...sources.verbs.verbs.keys()].filter((name) => !shippedSources.verbs.verbs.has(name));
}

export async function intentProblems(
  loaded: Pick<LoadedConfig, 'intentFiles'>,
): Promise<readonly ConfigProblem[]> {
  const extensions = await readExtensions(loaded);
  return extensions?.type === 'invalid' ? extensions.problems : [];
}

async function readExtensions({ intentFiles }: Pick<LoadedConfig, 'intentFiles'>) {
  if (intentFiles.size === 0) return undefined;
  const { loadExtensions } = await import('../../intent/project/load-extensions.ts');
  return loadExtensions({ files: intentFiles });
}
