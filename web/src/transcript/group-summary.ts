/** The changed lines and the time of a group of calls. */
import { argumentsOf } from '../../../src/views/call-arguments.ts';
import { linesChanged } from '../../../src/views/call-changes.ts';
import type { CallItem } from '../../../src/views/transcript-item.ts';

type Call = Pick<CallItem, 'tool' | 'args' | 'state'>;

export function groupChanges(calls: readonly Call[]): ReturnType<typeof linesChanged> {
  return calls
    .filter(({ state }) => state.type === 'succeeded')
    .map((call) => linesChanged(call, argumentsOf(call.args)))
    .reduce((sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }), {
      added: 0,
      removed: 0,
    });
}

export function groupMs(calls: readonly CallItem[]): number {
  return calls.reduce((sum, { state }) => sum + (('durationMs' in state ? state.durationMs : undefined) ?? 0), 0);
}
