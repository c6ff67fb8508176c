/** A session's day as spans: when it worked, when it waited for a person, and which files it changed. */
import type { Recorded } from '../../../src/kernel/event.ts';
import type { SessionId } from '../../../src/kernel/ids.ts';
import { argumentsOf } from '../../../src/views/call-arguments.ts';
import { changesIn, linesChanged } from '../../../src/views/call-changes.ts';
import { changeCounts } from '../../../src/kernel/line-diff.ts';
import { lastPage } from '../../../src/views/transcript-page.ts';
import { transcriptOf } from '../../../src/views/transcript.ts';
import { usageOf } from '../../../src/views/usage.ts';
import { timelineOf, usageByTurn } from '../../../src/views/usage-report.ts';

interface DaySpan {
  readonly kind: 'working' | 'waiting' | 'idle' | 'failed';
  readonly from: number;
  readonly to: number;
}

export interface DayTimeline {
  /** In the order they are drawn: waiting lies over working. */
  readonly spans: readonly DaySpan[];
  readonly waitedMs: number;
  /** Without waiting. */
  readonly workedMs: number;
  /** From the first to the last activity of the day. */
  readonly wholeMs: number;
}

export function dayTimeline(
  session: SessionId,
  events: readonly Recorded[],
  { since, now }: { readonly since: number; readonly now: number },
): DayTimeline {
  const view = usageOf(session, events);
  const turns = usageByTurn(view).filter(({ ended }) => (ended?.at ?? now) > since);
  const cut = (kind: DaySpan['kind'], from: number, to: number): DaySpan => ({
    kind,
    from: Math.max(from, since),
    to,
  });
  const working = turns.map(({ startedAt, ended }) => cut('working', startedAt, ended?.at ?? now));
  const idle = working.slice(1).map(({ from }, index) => cut('idle', working[index]?.to ?? from, from));
  const waiting = turns
    .flatMap(({ turn }) => timelineOf(view, turn)?.spans ?? [])
    .filter((span) => span.type === 'person' && (span.to ?? now) > since)
    .map(({ from, to = now }) => cut('waiting', from, to));
  const failed = turns.flatMap(({ ended }) =>
    ended?.ending.type === 'failed' || ended?.ending.type === 'timed-out'
      ? [cut('failed', ended.at, ended.at)]
      : [],
  );
  return timelineOfSpans([...idle, ...working, ...waiting, ...failed]);
}

/** A session waits also while one of its workers does. */
export function withWorkers(own: DayTimeline, workers: readonly DayTimeline[]): DayTimeline {
  const waits = workers.flatMap(({ spans }) => spans.filter(({ kind }) => kind === 'waiting'));
  return timelineOfSpans([...own.spans, ...waits]);
}

function timelineOfSpans(spans: readonly DaySpan[]): DayTimeline {
  const working = spans.filter(({ kind }) => kind === 'working');
  const waitedMs = unionMs(spans.filter(({ kind }) => kind === 'waiting'));
  const [first, last] = [working[0]?.from ?? 0, working.at(-1)?.to ?? 0];
  return {
    spans,
    waitedMs,
    workedMs: Math.max(0, unionMs(working) - waitedMs),
    wholeMs: Math.max(0, last - first),
  };
}

/** Spans that overlap count once. */
function unionMs(spans: readonly DaySpan[]): number {
  let covered = 0;
  let end = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    covered += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return covered;
}

export interface Churn {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly edits: number;
}

/** Lines that successful edits and writes changed since then, by file. */
export function churnOf(session: SessionId, events: readonly Recorded[], since: number): readonly Churn[] {
  const { items } = lastPage(transcriptOf(session, events), Math.max(1, events.length));
  return items.flatMap((item) => {
    if (item.type !== 'call' || item.state.type !== 'succeeded' || item.state.at < since) return [];
    const args = argumentsOf(item.args);
    const changes = changesIn(item.tool, args);
    return changes.map(({ path, lines }) => ({
      path,
      ...(changes.length === 1 ? linesChanged(item, args) : changeCounts(lines)),
      edits: 1,
    }));
  });
}

/** The most changed files first. */
export function churnByFile(all: readonly Churn[]): readonly Churn[] {
  const byPath = new Map<string, Churn>();
  for (const one of all) {
    const had = byPath.get(one.path) ?? { path: one.path, added: 0, removed: 0, edits: 0 };
    byPath.set(one.path, {
      path: one.path,
      added: had.added + one.added,
      removed: had.removed + one.removed,
      edits: had.edits + one.edits,
    });
  }
  return [...byPath.values()].toSorted((a, b) => b.added + b.removed - a.added - a.removed);
}
