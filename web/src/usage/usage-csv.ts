/** Daily usage by model as CSV, for spreadsheets. */
import type { UsedRow } from './usage-rows.ts';

const columns = [
  'day',
  'model',
  'turns',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'cost_usd',
  'unpriced_calls',
];

/** The name of a row is its day, a space and its model. */
export function usageCsv(rows: readonly UsedRow[]): string {
  const lines = rows
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, totals }) => [
      name.slice(0, 10),
      quoted(name.slice(11)),
      totals.turns,
      totals.inputTokens,
      totals.cachedTokens ?? 0,
      totals.outputTokens,
      totals.cost,
      totals.unpricedCalls ?? 0,
    ]);
  return `${[columns, ...lines].map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

/** A model's name comes from a configuration: spreadsheets must not take it for a formula. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
