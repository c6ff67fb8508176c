/** The changed lines and the time of a group of calls. */
import { argumentsOf } from '../../../src/views/call-arguments.ts';
import { changesIn } from '../../../src/views/call-changes.ts';
import { changeCounts } from '../../../src/views/line-diff.ts';
import type { CallItem } from '../../../src/views/transcript-item.ts';

export function groupChanges(calls: readonly CallItem[]): { readonly added: number; readonly removed: number } {
  const all = calls
    .filter(({ state }) => state.type === 'succeeded')
    .flatMap(({ tool, args }) => changesIn(tool, argumentsOf(args)).map(({ lines }) => changeCounts(lines)));
  return all.reduce((sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }), {
    added: 0,
    removed: 0,
  });
}

export function groupMs(calls: readonly CallItem[]): number {
  return calls.reduce((sum, { state }) => sum + (('durationMs' in state ? state.durationMs : undefined) ?? 0), 0);
}
