/** Each sub-agent's usage as reported: provisional while it works, final when it ends. */
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { WorkerReport } from '../kernel/report.ts';
import { mapEntries, mapWith, newMap, mapValue, type PersistentMap } from './persistent-map.ts';
import { noTotals, totalsWith, type UsageTotals } from './usage-totals.ts';
import { optional } from '../kernel/optional.ts';

export type WorkersUsed = PersistentMap<WorkerUsed>;

interface WorkerUsed {
  readonly name: string;
  readonly session?: SessionId;
  /** Usage of its ended jobs. */
  readonly ended: UsageTotals;
  readonly endedMs: number;
  /** Usage of its running job. */
  readonly live?: { readonly since: number; readonly totals: UsageTotals };
}

export interface WorkerUsageRow {
  readonly worker: string;
  readonly name: string;
  readonly session?: SessionId;
  readonly totals: UsageTotals;
  /** The run time of its jobs. For a running job, until its newest report. */
  readonly ms: number;
}

export const newWorkersUsed: WorkersUsed = newMap();

export function workersUsedWith(
  used: WorkersUsed,
  { at, by }: Pick<Recorded, 'at' | 'by'>,
  report: WorkerReport,
): WorkersUsed {
  const sums = mapValue(used, report.worker) ?? { name: by.name, ended: noTotals, endedMs: 0 };
  const session = report.session ?? sums.session;
  const { live, ...rest } = { ...sums, ...optional({ session }) };
  const since = live?.since ?? at;
  const totals =
    report.usage === undefined ? (live?.totals ?? noTotals) : totalsWith(noTotals, reportedBy(report));
  if (isLive(report)) return mapWith(used, report.worker, { ...rest, live: { since, totals } });
  // An ending without figures comes from a child that used nothing, or from an older release.
  const last = report.usage === undefined ? noTotals : totals;
  return mapWith(used, report.worker, {
    ...rest,
    ended: totalsWith(rest.ended, last),
    endedMs: rest.endedMs + (at - since),
  });
}

/** By worker; `now` is the time of the newest event. */
export function workerUsageRows(used: WorkersUsed, now: number): readonly WorkerUsageRow[] {
  return mapEntries(used).map(({ key, value: { name, session, ended, endedMs, live } }) => ({
    worker: key,
    name,
    ...optional({ session }),
    totals: live === undefined ? ended : totalsWith(ended, live.totals),
    ms: endedMs + (live === undefined ? 0 : Math.max(0, now - live.since)),
  }));
}

function isLive({ state }: WorkerReport): boolean {
  return state === 'spawned' || state === 'progressed' || state === 'stalled';
}

function reportedBy({ usage, toolCalls, unpricedCalls }: WorkerReport): Partial<UsageTotals> {
  const { inputTokens, outputTokens, cost } = usage ?? { inputTokens: 0, outputTokens: 0 };
  return {
    inputTokens,
    outputTokens,
    ...optional({ cost, toolCalls, unpricedCalls }),
  };
}
