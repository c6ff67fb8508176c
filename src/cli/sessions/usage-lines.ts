import type { UsageTotals } from '../../views/usage-totals.ts';
import { isCostKnown } from '../../views/usage-totals.ts';
import type { UsageRow, usageByTurn } from '../../views/usage.ts';
import { costText } from '../../views/cost-text.ts';
import { durationText } from '../../views/duration-text.ts';
import { tableText } from '../table.ts';
import type { Terminal } from '../terminal.ts';

interface UsageShown {
  readonly totals: UsageTotals;
  readonly models: readonly UsageRow[];
  readonly turns: ReturnType<typeof usageByTurn>;
}

/** A row for the whole session, for each model and for each turn. */
export function usageLines({ totals, models, turns }: UsageShown, terminal: Terminal): readonly string[] {
  const columns = ['what', 'input', 'output', 'cached', 'cost', 'model time', 'tool time'].map((title, index) => ({
    title,
    align: index === 0 ? ('left' as const) : ('right' as const),
  }));
  const row = (name: string, used: UsageTotals) => [
    name,
    String(used.inputTokens),
    String(used.outputTokens),
    String(used.cachedTokens),
    costText({ cost: used.cost, costIsKnown: isCostKnown(used) }),
    durationText(used.modelMs),
    durationText(used.toolMs),
  ];
  const rows = [
    row('session', totals),
    ...models.map(({ name, totals: used }) => row(`model ${name}`, used)),
    ...turns.map(({ turn, agent, totals: used }) => row(`turn ${turn} (${agent})`, used)),
  ];
  return [tableText(columns, rows, terminal)];
}
