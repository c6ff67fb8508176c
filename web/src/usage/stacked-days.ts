/** Cost by day and model, as fractions of the axis, which holds the most expensive day and the budget. */
import { moneyTicks } from './axis-ticks.ts';
import type { UsedRow } from './usage-rows.ts';

export interface StackedDay {
  readonly day: string;
  readonly total: number;
  /** Model calls without a known price. */
  readonly unpriced: number;
  readonly parts: readonly {
    readonly series: number;
    readonly model: string;
    readonly cost: number;
    readonly from: number;
    readonly share: number;
  }[];
}

interface StackedDays {
  /** The most expensive models, then "Other". */
  readonly models: readonly string[];
  /** The axis. Its last tick is the height of the chart. */
  readonly ticks: readonly number[];
  readonly days: readonly StackedDay[];
}

const mostSeries = 3;
const dayMs = 86_400_000;

/** The name of a row is its day, a space and its model. */
export function stackedDays(
  rows: readonly UsedRow[],
  {
    days,
    today,
    budget = 0,
  }: { readonly days: number; readonly today: string; readonly budget?: number | undefined },
): StackedDays {
  const costs = rows.map(({ name, totals }) => ({
    day: name.slice(0, 10),
    model: name.slice(11),
    cost: totals.cost,
    unpriced: totals.unpricedCalls ?? 0,
  }));
  const byModel = new Map<string, number>();
  for (const { model, cost } of costs) byModel.set(model, (byModel.get(model) ?? 0) + cost);
  const ranked = [...byModel]
    .filter(([, cost]) => cost > 0)
    .toSorted((a, b) => b[1] - a[1])
    .map(([model]) => model);
  const named = ranked.slice(0, mostSeries);
  const seriesOf = (model: string) => (named.includes(model) ? named.indexOf(model) : mostSeries);
  const names = Array.from({ length: days }, (_, index) =>
    new Date(Date.parse(today) - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
  const totals = names.map((day) => costs.filter((one) => one.day === day));
  const sumOf = (list: typeof costs) => list.reduce((sum, { cost }) => sum + cost, 0);
  const ticks = moneyTicks(Math.max(0.01, budget, ...totals.map(sumOf)));
  const most = ticks.at(-1) ?? 1;
  return {
    models: ranked.length > mostSeries ? [...named, 'Other'] : named,
    ticks,
    days: names.map((day, index) => {
      let from = 0;
      const list = (totals[index] ?? [])
        .filter(({ cost }) => cost > 0)
        .toSorted((a, b) => seriesOf(a.model) - seriesOf(b.model));
      const parts = list.map(({ model, cost }) => {
        const part = { series: seriesOf(model), model, cost, from, share: cost / most };
        from += part.share;
        return part;
      });
      const unpriced = (totals[index] ?? []).reduce((sum, one) => sum + one.unpriced, 0);
      return { day, total: sumOf(list), unpriced, parts };
    }),
  };
}
