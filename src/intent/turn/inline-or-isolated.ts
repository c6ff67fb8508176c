import type { Intent } from '../words/intent.ts';
import type { OperationalMode } from '../routing/route.ts';

export interface Placement {
  readonly runs: 'inline' | 'isolated';
  readonly reason: string;
}

const always: ReadonlySet<string> = new Set(['campaign', 'research']);
const whenLarge: ReadonlySet<string> = new Set(['implement', 'refactor']);

/** Decides whether a turn runs in its session or as a separate sub-agent (C75). */
export function placeIntent(intent: Pick<Intent, 'verb' | 'scope'>, mode: OperationalMode): Placement {
  if (mode === 'dream' || intent.verb === 'dream')
    return { runs: 'isolated', reason: 'A simulation runs by itself.' };
  if (always.has(intent.verb))
    return { runs: 'isolated', reason: `The verb ${intent.verb} always runs by itself.` };
  const isLarge = intent.scope === 'several' || intent.scope === 'module' || intent.scope === 'codebase';
  if (whenLarge.has(intent.verb) && isLarge) {
    return { runs: 'isolated', reason: `The verb ${intent.verb} of more than one file runs by itself.` };
  }
  return { runs: 'inline', reason: 'The request is small enough for the session itself.' };
}
