import { mostWaitedShare } from './contention.ts';
import { cellToText, tableToMarkdown } from './markdown.ts';
import { spaced, type Figure, type Section } from './section.ts';

interface ReportFacts {
  readonly date: string;
  readonly machine: string;
  readonly command: string;
}

export function sectionToMarkdown({ title, work, tables, plots = [], waitedShare, remarks }: Section): string {
  const waited = `Measured processes waited for a core ${percent(waitedShare)} of the time they could have run.`;
  const notes = remarks.map((remark) => `- ${remark.replaceAll(/\s*\n\s*/g, ' ')}`);
  return [
    `## ${title}`,
    `${work} ${waited}`,
    ...tables.map(tableToMarkdown),
    ...plots.map((plot) => `![${plot.title}](bench/${plot.name}.svg)`),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n');
}

export function figuresToMarkdown(sections: readonly Section[]): string {
  return tableToMarkdown({
    title: 'Goals',
    head: ['figure', 'goal', 'measured', 'reached'],
    rows: sections.flatMap((section) =>
      section.figures.map((figure) => [
        figure.name,
        figure.goal,
        `${cellToText(figure.measured)}${spaced(figure.unit)}`,
        verdictOn(figure, section),
      ]),
    ),
  });
}

function verdictOn({ measured, of, isReached }: Figure, { waitedShare }: Section): string {
  if (!Number.isFinite(measured)) return 'not measured';
  if (of === 'time' && waitedShare > mostWaitedShare) return 'not judged: busy';
  return isReached ? 'yes' : '**no**';
}

export function reportToMarkdown(sections: readonly Section[], { date, machine, command }: ReportFacts): string {
  const opening = `# Benchmarks

Written by \`${command}\` on ${date}: ${machine}.

Compare only ratios within one run. The floor is a hand-written program that does the same work. It runs in the same rounds as Rondo, each in its own process and in shuffled order, and figures are medians over the rounds. With \`--peers\` other runtimes, command lines and servers run in the same rounds, in pinned versions; [comparison.md](comparison.md) describes them. Times depend on the machine and its load. If the measured processes waited for a core for more than ${percent(mostWaitedShare)} of the time they could have run, time figures are shown but not judged: load affects programs with one thread and with two differently, so even ratios are wrong.`;
  const figures = figuresToMarkdown(sections);
  return `${[opening, figures, ...sections.map(sectionToMarkdown)].join('\n\n')}\n`;
}

/** The report with some sections measured again; the others stay as an earlier run wrote them. */
export function updatedReport(
  report: string,
  sections: readonly Section[],
  { date, machine, command }: ReportFacts,
): string {
  const [opening = '', ...earlier] = report.trimEnd().split(/\n\n(?=## )/);
  const written = sections.map((section) =>
    sectionToMarkdown({ ...section, work: `Written by \`${command}\` on ${date}: ${machine}. ${section.work}` }),
  );
  const titles = new Set(written.map(titleOf));
  const parts = [...earlier.filter((part) => !titles.has(titleOf(part))), ...written];
  const rows = figuresToMarkdown(sections).split('\n').slice(TABLE_HEAD);
  const inOrder = parts.toSorted((a, b) => titleOf(a).localeCompare(titleOf(b)));
  return `${[rows.reduce(withRow, opening), ...inOrder].join('\n\n')}\n`;
}

/** Title, empty line, names of columns, rule. */
const TABLE_HEAD = 4;

function titleOf(part: string): string {
  return part.split('\n', 1)[0] ?? '';
}

/** Replaces the row of the same figure, or appends the row to the table. */
function withRow(opening: string, row: string): string {
  const name = row.slice(0, row.indexOf(' |', 2) + 2);
  const lines = opening.split('\n');
  const same = lines.findIndex((line) => line.startsWith(name));
  if (same !== -1) return lines.with(same, row).join('\n');
  return lines.toSpliced(lines.findLastIndex((line) => line.startsWith('| ')) + 1, 0, row).join('\n');
}

function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 100)} %` : 'an unknown part';
}
