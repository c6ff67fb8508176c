/** "Read 2 files, searched 1": a group of calls in one line. */
import { argumentsOf } from '../../../src/views/call-arguments.ts';
import { changesIn } from '../../../src/views/call-changes.ts';
import { changeCounts } from '../../../src/views/line-diff.ts';
import type { CallItem } from '../../../src/views/transcript-item.ts';

type Kind = 'read' | 'searched' | 'edited' | 'deleted' | 'ran' | 'fetched' | 'used';

const kinds: Readonly<Record<string, Kind>> = {
  read: 'read',
  list: 'read',
  grep: 'searched',
  glob: 'searched',
  write: 'edited',
  edit: 'edited',
  delete: 'deleted',
  shell: 'ran',
  run_tests: 'ran',
  web_fetch: 'fetched',
  web_search: 'fetched',
};

const nouns: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  read: ['1 file', 'files'],
  searched: ['1', ''],
  edited: ['1 file', 'files'],
  deleted: ['1 file', 'files'],
  ran: ['1 command', 'commands'],
  fetched: ['1 page', 'pages'],
  used: ['1 tool', 'tools'],
};

export function groupSummary(calls: readonly CallItem[]): string {
  const counts = new Map<Kind, number>();
  for (const { tool } of calls) {
    const kind = kinds[tool] ?? 'used';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const words = [...counts]
    .map(([kind, count]) => `${kind} ${count === 1 ? nouns[kind][0] : `${count} ${nouns[kind][1]}`.trim()}`)
    .join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

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
