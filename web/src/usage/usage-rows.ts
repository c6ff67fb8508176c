/** Prepares `GET /usage` for the chart: one bar per row, the largest as wide as the chart. */
export type UsageKey = 'session' | 'agent' | 'model' | 'day';
export type Measure = 'tokens' | 'cost' | 'time';

export interface UsedRow {
  readonly name: string;
  readonly title?: string;
  readonly totals: Used;
}

export interface Used {
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly cost: number;
  readonly costIsKnown?: boolean;
  readonly unpricedCalls?: number;
  readonly modelMs?: number;
  readonly toolMs?: number;
  readonly waitingMs?: number;
  readonly pausingMs?: number;
}

interface Bar {
  readonly name: string;
  readonly label: string;
  readonly value: number;
  /** Fractions of the widest bar, drawn one after the other. */
  readonly parts: readonly { readonly kind: string; readonly share: number }[];
  readonly totals: Used;
}

function measureOf(used: Used, measure: Measure): number {
  return partsOf(used, measure).reduce((sum, { value }) => sum + value, 0);
}

/** Days in order, including empty ones. Everything else by size. */
export function barsOf(rows: readonly UsedRow[], by: UsageKey, measure: Measure): readonly Bar[] {
  const whole = by === 'day' ? withEmptyDays(rows) : rows;
  const most = Math.max(1e-9, ...whole.map(({ totals }) => measureOf(totals, measure)));
  const bars = whole.map(({ name, title, totals }) => ({
    name,
    // The agent of an imported session that nobody continued is unknown.
    label: title || name || 'Imported',
    value: measureOf(totals, measure),
    parts: partsOf(totals, measure).map(({ kind, value }) => ({ kind, share: value / most })),
    totals,
  }));
  return by === 'day' ? bars : bars.toSorted((a, b) => b.value - a.value);
}

export function isCostKnown({ costIsKnown, unpricedCalls = 0 }: Used): boolean {
  return costIsKnown ?? unpricedCalls === 0;
}

function partsOf(used: Used, measure: Measure): readonly { readonly kind: string; readonly value: number }[] {
  switch (measure) {
    case 'tokens':
      return [
        { kind: 'input', value: used.inputTokens },
        { kind: 'output', value: used.outputTokens },
      ];
    case 'cost':
      return [{ kind: 'cost', value: used.cost }];
    case 'time':
      return [
        { kind: 'model', value: used.modelMs ?? 0 },
        { kind: 'tool', value: used.toolMs ?? 0 },
        { kind: 'person', value: used.waitingMs ?? 0 },
        { kind: 'pause', value: used.pausingMs ?? 0 },
      ];
  }
}

const dayMs = 86_400_000;
const mostDays = 31;
const nothing: Used = { turns: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

function withEmptyDays(rows: readonly UsedRow[]): readonly UsedRow[] {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const days = [...byName.keys()].toSorted();
  const last = Date.parse(days.at(-1) ?? '');
  const first = Math.max(Date.parse(days[0] ?? ''), last - (mostDays - 1) * dayMs);
  if (Number.isNaN(first)) return rows;
  return Array.from({ length: Math.round((last - first) / dayMs) + 1 }, (_, index) => {
    const name = new Date(first + index * dayMs).toISOString().slice(0, 10);
    return byName.get(name) ?? { name, totals: nothing };
  });
}
