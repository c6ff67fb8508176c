import { expect, test } from 'vitest';

import { reportToMarkdown, updatedReport } from './report.ts';
import { atMost, type Section } from './section.ts';

const section = (title: string, figure: string, measured: number): Section => ({
  title,
  work: `Work of ${title}.`,
  tables: [{ title: 'Table', head: ['', 'n'], rows: [['all', measured]] }],
  figures: [atMost(figure, measured, 2, { of: 'amount' })],
  waitedShare: 0,
  remarks: [],
});
const facts = { date: '2026-01-01', machine: 'a machine', command: 'npm run bench' };

test('a section that is measured again replaces itself and its goals, and a new one takes its place in order', () => {
  const report = reportToMarkdown([section('A. First', 'a', 1), section('C. Third', 'c', 1)], facts);
  const again = { ...facts, command: 'npm run bench -- --only b,c' };
  const updated = updatedReport(report, [section('C. Third', 'c', 3), section('B. Second', 'b', 2)], again);
  const own = (title: string) =>
    `Written by \`npm run bench -- --only b,c\` on 2026-01-01: a machine. Work of ${title}.`;
  const whole = reportToMarkdown(
    [
      section('A. First', 'a', 1),
      { ...section('B. Second', 'b', 2), work: own('B. Second') },
      { ...section('C. Third', 'c', 3), work: own('C. Third') },
    ],
    facts,
  );
  // The new row is at the end of the goals.
  expect(updated).toBe(
    whole.replace(
      '| b | ≤ 2 | 2 | yes |\n| c | ≤ 2 | 3 | **no** |',
      '| c | ≤ 2 | 3 | **no** |\n| b | ≤ 2 | 2 | yes |',
    ),
  );
});
