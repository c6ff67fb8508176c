/**
 * Usage of all sessions, by session, agent, model or day. Sessions and agents come from the directory. Models, days
 * and time come from the journals, which are folded once per change of a session.
 */
import { setImmediate } from 'node:timers/promises';

import type { DirectoryEntry } from '../views/directory.ts';
import type { SessionId } from '../kernel/ids.ts';
import { projectName } from '../views/session-row.ts';
import { noTotals, totalsWith, type UsageTotals } from '../views/usage-totals.ts';
import { usageOf, type UsageView } from '../views/usage.ts';
import { usageByDay, usageByModel, usageByTurn, type UsageRow } from '../views/usage-report.ts';
import type { Backend } from './backend.ts';
import { everyEvent, everySession } from './every-session.ts';

type UsageKey = 'session' | 'agent' | 'model' | 'day' | 'day-model';

interface StoreUsage {
  readonly totals: DirectoryTotals;
  readonly rows: readonly (UsageRow | DirectoryRow)[];
}

interface DirectoryTotals {
  readonly sessions: number;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly costIsKnown: boolean;
  /** The part of a session's usage that its sub-agents caused. */
  readonly children?: NonNullable<DirectoryEntry['children']>;
  readonly modelMs?: number;
  readonly toolMs?: number;
  readonly waitingMs?: number;
  readonly pausingMs?: number;
}

interface DirectoryRow {
  readonly name: string;
  readonly title?: string;
  readonly totals: DirectoryTotals;
}

interface Folded {
  readonly updatedAt: number;
  readonly totals: UsageTotals;
  readonly model: readonly UsageRow[];
  readonly day: readonly UsageRow[];
  /** Named by day, a space and the model. A turn counts on the day it started. */
  readonly 'day-model': readonly UsageRow[];
}

const mostFolded = 10_000;
/** Other requests get a turn after so many journals. */
const foldedAtOnce = 20;

interface UsageReports {
  by(key: UsageKey, options: UsageReportOptions): Promise<StoreUsage>;
}

interface UsageReportOptions {
  /** Only sessions changed at or after this time. */
  readonly since?: number;
  /** Only sessions in folders of this project. */
  readonly project?: string;
  readonly withTime: boolean;
}

export function createUsageReports(backend: Pick<Backend, 'sessions'>): UsageReports {
  const folds = new Map<SessionId, Folded>();
  let readCount = 0;

  async function foldOf({ session, updatedAt }: DirectoryEntry): Promise<Folded> {
    const fold = folds.get(session);
    if (fold?.updatedAt === updatedAt) return fold;
    readCount += 1;
    if (readCount % foldedAtOnce === 0) await setImmediate();
    const live = await backend.sessions.get(session);
    const view = usageOf(session, live === undefined ? [] : await everyEvent(live));
    const folded = {
      updatedAt,
      totals: view.totals,
      model: usageByModel(view),
      day: usageByDay(view),
      'day-model': byDayAndModel(view),
    };
    if (folds.size >= mostFolded) folds.clear();
    folds.set(session, folded);
    return folded;
  }

  return {
    async by(key, { since = 0, project, withTime }) {
      const rows = new Map<string, DirectoryRow>();
      const parents = new Map<string, string>();
      const sums = new Map<string, UsageTotals>();
      let totals = noDirectoryTotals;
      for await (const entry of everySession(backend)) {
        if (entry.updatedAt < since) continue;
        if (project !== undefined && projectName(entry.cwd) !== project) continue;
        const time = withTime ? (await foldOf(entry)).totals : undefined;
        totals = withEntry(totals, ownOf(entry), time);
        if (key === 'session' || key === 'agent') {
          const name = entry[key];
          const before = rows.get(name)?.totals ?? noDirectoryTotals;
          const title = key === 'session' ? { title: entry.title } : {};
          if (entry.parent !== undefined) parents.set(entry.session, entry.parent);
          const used = key === 'session' ? entry : ownOf(entry);
          const children = key === 'session' && entry.children !== undefined ? { children: entry.children } : {};
          rows.set(name, { name, ...title, totals: { ...withEntry(before, used, time), ...children } });
          continue;
        }
        for (const { name, totals: used } of (await foldOf(entry))[key]) {
          sums.set(name, totalsWith(sums.get(name) ?? noTotals, used));
        }
      }
      const folded = [...sums].map(([name, used]) => ({ name, totals: used }));
      // By session, a sub-agent is part of its parent's row. By agent, it counts separately.
      const listed = [...rows.values()].filter(
        ({ name }) => key !== 'session' || !rows.has(parents.get(name) ?? ''),
      );
      return { totals, rows: [...listed, ...folded.toSorted((a, b) => (a.name < b.name ? -1 : 1))] };
    },
  };
}

function byDayAndModel(view: UsageView): readonly UsageRow[] {
  const sums = new Map<string, UsageTotals>();
  for (const { startedAt, model, totals } of usageByTurn(view)) {
    const name = `${new Date(startedAt).toISOString().slice(0, 10)} ${model}`;
    sums.set(name, totalsWith(sums.get(name) ?? noTotals, totals));
  }
  return [...sums].map(([name, totals]) => ({ name, totals }));
}

const noDirectoryTotals: DirectoryTotals = {
  sessions: 0,
  turns: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  costIsKnown: true,
};

type Used = Pick<DirectoryEntry, 'turns' | 'inputTokens' | 'outputTokens' | 'cost' | 'costIsKnown'>;

/** Usage without sub-agents, which have their own entries. */
function ownOf({ children, ...entry }: DirectoryEntry): Used {
  if (children === undefined) return entry;
  return {
    turns: entry.turns,
    inputTokens: entry.inputTokens - children.inputTokens,
    outputTokens: entry.outputTokens - children.outputTokens,
    cost: entry.cost - children.cost,
    costIsKnown: entry.costIsKnown || !children.costIsKnown,
  };
}

function withEntry(totals: DirectoryTotals, entry: Used, time: UsageTotals | undefined): DirectoryTotals {
  return {
    sessions: totals.sessions + 1,
    turns: totals.turns + entry.turns,
    inputTokens: totals.inputTokens + entry.inputTokens,
    outputTokens: totals.outputTokens + entry.outputTokens,
    cost: totals.cost + entry.cost,
    costIsKnown: totals.costIsKnown && entry.costIsKnown,
    ...(time !== undefined && {
      modelMs: (totals.modelMs ?? 0) + time.modelMs,
      toolMs: (totals.toolMs ?? 0) + time.toolMs,
      waitingMs: (totals.waitingMs ?? 0) + time.waitingMs,
      pausingMs: (totals.pausingMs ?? 0) + time.pausingMs,
    }),
  };
}
