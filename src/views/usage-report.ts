import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import { countWhile, itemAt, itemsBetween } from './persistent-list.ts';
import { mapEntries } from './persistent-map.ts';
import { totalsWith, type UsageTotals } from './usage-totals.ts';
import type { TimeSpan, TurnUsage, UsageView } from './usage-view.ts';
import { workerUsageRows, type WorkerUsageRow } from './worker-usage.ts';
import { usageOf } from './usage.ts';

/** A turn's time, for a chart. For a running turn, the time so far. */
export interface Timeline extends Omit<TurnUsage, 'spans'> {
  readonly spans: readonly TimeSpan[];
}

/** By the sequence of its `turn-started`. Costs the turn, not the session. */
export function timelineOf(view: UsageView, turn: number): Timeline | undefined {
  const place = countWhile(view.turns, (past) => past.turn < turn);
  const turnUsage = view.turn?.turn === turn ? view.turn : itemAt(view.turns, place);
  if (turnUsage?.turn !== turn) return undefined;
  return { ...turnUsage, spans: itemsBetween(turnUsage.spans, 0, turnUsage.spans.length) };
}

/** A session's usage for every front end: in total, and by sub-agent, model and time. */
export interface UsageReport {
  /** Includes sub-agents. Times, turns and steps exclude them, since the session waits while they work. */
  readonly totals: UsageTotals;
  readonly own: UsageTotals;
  readonly workers: readonly WorkerUsageRow[];
  readonly models: readonly UsageRow[];
  readonly days: readonly UsageRow[];
  readonly turns: readonly Omit<TurnUsage, 'spans'>[];
}

export function usageReportOf(session: SessionId, events: Iterable<Recorded>): UsageReport {
  const view = usageOf(session, events);
  const workers = workerUsageRows(view.workers, view.at);
  return {
    totals: workers.reduce((sum, { totals }) => totalsWith(sum, totals), view.totals),
    own: view.totals,
    workers,
    models: usageByModel(view),
    days: usageByDay(view),
    turns: usageByTurn(view),
  };
}

export interface UsageRow {
  readonly name: string;
  readonly totals: UsageTotals;
}

export function usageByModel(view: UsageView): readonly UsageRow[] {
  return mapEntries(view.models).map(({ key, value }) => ({ name: key, totals: value }));
}

/** Oldest first. Days without activity are absent. */
export function usageByDay(view: UsageView): readonly UsageRow[] {
  return mapEntries(view.days).map(({ key, value }) => ({ name: key, totals: value }));
}

/** Oldest first, the running turn last. */
export function usageByTurn({ turns, turn }: UsageView): readonly Omit<TurnUsage, 'spans'>[] {
  const past = itemsBetween(turns, 0, turns.length);
  return (turn === undefined ? past : [...past, turn]).map((used) => {
    const { spans: _, ...rest } = used;
    return rest;
  });
}
