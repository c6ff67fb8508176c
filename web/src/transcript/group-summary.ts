/** The changed lines and the time of a group of calls. */
import { argumentsOf } from '../../../src/views/call-arguments.ts';
import { changesIn } from '../../../src/views/call-changes.ts';
import { changeCounts } from '../../../src/views/line-diff.ts';
import type { CallItem } from '../../../src/views/transcript-item.ts';

type Call = Pick<CallItem, 'tool' | 'args' | 'state'>;

/** Nothing if a call replaced a whole file: its arguments don't say what was there before. */
export function groupChanges(calls: readonly Call[]): { readonly added: number; readonly removed: number } {
  if (calls.some(hasReplaced)) return { added: 0, removed: 0 };
  const all = calls
    .filter(({ state }) => state.type === 'succeeded')
    .flatMap(({ tool, args }) => changesIn(tool, argumentsOf(args)).map(({ lines }) => changeCounts(lines)));
  return all.reduce((sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }), {
    added: 0,
    removed: 0,
  });
}

function hasReplaced({ tool, state }: Call): boolean {
  const { created } = (state.type === 'succeeded' ? (state.data ?? {}) : {}) as { readonly created?: boolean };
  return tool === 'write' && created === false;
}

export function groupMs(calls: readonly CallItem[]): number {
  return calls.reduce((sum, { state }) => sum + (('durationMs' in state ? state.durationMs : undefined) ?? 0), 0);
}
