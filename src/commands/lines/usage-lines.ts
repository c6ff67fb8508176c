import type { UsageTotals } from '../../views/usage-totals.ts';
import { isCostKnown } from '../../views/total-usage.ts';
import type { UsageReport } from '../../views/usage-report.ts';
import { costText } from '../../wording/cost.ts';
import { durationText } from '../../wording/duration.ts';
import { tableText } from '../../wording/table.ts';
import type { Terminal } from '../../wording/terminal-style.ts';

/**
 * One row for the session with its sub-agents, then rows for the session itself, each sub-agent, each model and
 * each turn.
 */
export function usageLines(
  { totals, own, workers, models, turns }: Omit<UsageReport, 'days'>,
  terminal: Terminal,
): readonly string[] {
  const columns = ['what', 'input', 'output', 'cached', 'cost', 'model time', 'tool time'].map((title, index) => ({
    title,
    align: index === 0 ? ('left' as const) : ('right' as const),
  }));
  const row = (
    name: string,
    used: UsageTotals,
    times = [durationText(used.modelMs), durationText(used.toolMs)],
  ) => [
    name,
    String(used.inputTokens),
    String(used.outputTokens),
    String(used.cachedTokens),
    costText({ cost: used.cost, costIsKnown: isCostKnown(used) }),
    ...times,
  ];
  const rows = [
    row('session', totals),
    ...(workers.length === 0 ? [] : [row('itself', own)]),
    ...workers.map(({ name, totals: used, ms }) =>
      row(`sub-agent ${name} (${durationText(ms)})`, used, ['-', '-']),
    ),
    ...models.map(({ name, totals: used }) => row(`model ${name}`, used)),
    ...turns.map(({ agent, totals: used }, index) => row(`turn ${index + 1} (${agent})`, used)),
  ];
  return [tableText(columns, rows, terminal)];
}
