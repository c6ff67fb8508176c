import type { AgentRef } from '../kernel/agent.ts';
import type { WaitReason } from '../kernel/event.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { Ending } from '../kernel/outcome.ts';
import type { QuestionSubject } from '../kernel/question.ts';
import { newCurrentCalls, type CurrentCalls } from './current-calls.ts';
import { listAppended, listChanged, newList, type PersistentList } from './persistent-list.ts';
import { mapWith, newMap, mapValue, type PersistentMap } from './persistent-map.ts';
import { noTotals, totalsWith, type UsageTotals } from './usage-totals.ts';
import { newWorkersUsed, type WorkersUsed } from './worker-usage.ts';

/** A session's usage so far. Views are immutable; see `usage.ts`. */
export interface UsageView {
  readonly session: SessionId;
  readonly totals: UsageTotals;
  readonly models: PersistentMap<UsageTotals>;
  /** By `2026-01-31`, in UTC. Durations count on the day they ended. */
  readonly days: PersistentMap<UsageTotals>;
  /** Ended turns, oldest first. */
  readonly turns: PersistentList<TurnUsage>;
  readonly turn: TurnUsage | undefined;
  /** The session's agent, which serves the next turn. */
  readonly agent: AgentRef | undefined;
  /** The model that answered last. An agent may name none. */
  readonly answering: string | undefined;
  readonly calls: CurrentCalls;
  /** The model call in flight, and whether the reserve for its current attempt is already charged. */
  readonly modelCall:
    | { readonly effect: EffectId; readonly reserved: number; readonly isCharged: boolean }
    | undefined;
  /** Open spans of the current turn. */
  readonly open: readonly { readonly key: string; readonly place: number; readonly span: TimeSpan }[];
  readonly askedSince: number | undefined;
  /** True if the external agent has reported usage since its turn started. */
  readonly hasAgentReported: boolean;
  /** Sub-agents' usage, and the time of the newest event. */
  readonly workers: WorkersUsed;
  readonly at: number;
}

export interface TurnUsage {
  /** The sequence of its `turn-started`. */
  readonly turn: number;
  readonly startedAt: number;
  readonly agent: string;
  /** The requested model, else the one that answered before, else the agent's name. */
  readonly model: string;
  readonly ended?: { readonly at: number; readonly ending: Ending };
  readonly totals: UsageTotals;
  readonly spans: PersistentList<TimeSpan>;
}

/** A span of a turn's time. Open while it has no `to`. */
export type TimeSpan = { readonly from: number; readonly to?: number } & SpanSubject;

type SpanSubject =
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'agent'; readonly agent: string }
  | { readonly type: 'tool'; readonly tool: string }
  | { readonly type: 'person'; readonly about: QuestionSubject['type'] }
  | { readonly type: 'pause'; readonly why: WaitReason };

export function newUsage(session: SessionId): UsageView {
  return {
    session,
    totals: noTotals,
    models: newMap(),
    days: newMap(),
    turns: newList(),
    turn: undefined,
    agent: undefined,
    answering: undefined,
    calls: newCurrentCalls(),
    modelCall: undefined,
    open: [],
    askedSince: undefined,
    hasAgentReported: false,
    workers: newWorkersUsed,
    at: 0,
  };
}

/** Adds usage at a time to the session, its current turn and the day. */
export function spent(view: UsageView, at: number, used: Partial<UsageTotals>): UsageView {
  const { totals, days, turn } = view;
  return {
    ...view,
    totals: totalsWith(totals, used),
    days: added(days, dayOf(at), used),
    turn: turn && { ...turn, totals: totalsWith(turn.totals, used) },
  };
}

/** The same, and adds it to the model too. */
export function spentBy(view: UsageView, at: number, model: string, used: Partial<UsageTotals>): UsageView {
  return { ...spent(view, at, used), models: added(view.models, model, used) };
}

export function spanOpened(view: UsageView, key: string, span: TimeSpan): UsageView {
  const { turn, open } = view;
  if (turn === undefined) return view;
  return {
    ...view,
    turn: { ...turn, spans: listAppended(turn.spans, span) },
    open: [...open, { key, place: turn.spans.length, span }],
  };
}

/** Ends a span and counts its time. Changes nothing if it isn't open. */
export function spanClosed(view: UsageView, key: string, at: number, model?: string): UsageView {
  const opened = view.open.find((candidate) => candidate.key === key);
  const { turn } = view;
  if (opened === undefined || turn === undefined) return view;
  const { place } = opened;
  const span = answeredBy(opened.span, model);
  const to = Math.max(span.from, at);
  const closed: UsageView = {
    ...view,
    turn: { ...turn, spans: listChanged(turn.spans, place, () => ({ ...span, to })) },
    open: view.open.filter((candidate) => candidate !== opened),
  };
  return timeSpent(closed, turn, span, to);
}

/** The model that really answered is known only afterwards. */
function answeredBy(span: TimeSpan, model: string | undefined): TimeSpan {
  return span.type === 'model' && model !== undefined ? { ...span, model } : span;
}

function timeSpent(view: UsageView, turn: TurnUsage, span: TimeSpan, to: number): UsageView {
  const ms = to - span.from;
  switch (span.type) {
    case 'model':
      return spentBy(view, to, span.model, { modelMs: ms });
    case 'agent':
      return spentBy(view, to, turn.model, { modelMs: ms });
    case 'tool':
      return spent(view, to, { toolMs: ms });
    case 'pause':
      return spent(view, to, { pausingMs: ms });
    case 'person':
      // Questions overlap, so `askedSince` counts their time once.
      return view;
  }
}

function added(
  map: PersistentMap<UsageTotals>,
  key: string,
  used: Partial<UsageTotals>,
): PersistentMap<UsageTotals> {
  return mapWith(map, key, totalsWith(mapValue(map, key) ?? noTotals, used));
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
