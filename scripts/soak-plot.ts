/** The figures of a soak over time, one below the other, as SVG. */
import { measureNames, measures, type Measure, type SoakResult } from '../test/soak/soak.ts';
import { figureText } from './soak-report.ts';

const width = 760;
const panel = { left: 60, right: 20, height: 70, gap: 40 };
const inner = width - panel.left - panel.right;

export function soakPlot(result: SoakResult): string {
  const height = measureNames.length * (panel.height + panel.gap) + 30;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#ffffff"/>
${measureNames.map((measure, index) => panelOf(measure, result, 30 + index * (panel.height + panel.gap))).join('\n')}
<text x="${width - panel.right}" y="${height - 10}" text-anchor="end" fill="#57606a">minutes</text>
</svg>
`;
}

function panelOf(measure: Measure, { samples, flatness }: SoakResult, top: number): string {
  const values = samples.map((sample) => sample[measure]);
  // From zero, so that a flat line looks flat and a rise is to scale.
  const most = Math.max(1, ...values) * 1.15;
  const last = samples.at(-1)?.seconds ?? 1;
  const x = (seconds: number) => panel.left + (seconds / last) * inner;
  const y = (value: number) => top + panel.height - (value / most) * panel.height;
  const line = samples
    .map((sample) => `${x(sample.seconds).toFixed(1)},${y(sample[measure]).toFixed(1)}`)
    .join(' ');
  const { level, rise, isFlat } = flatness[measure];
  const { name, unit } = measures[measure];
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<text x="${x(part * last)}" y="${top + panel.height + 14}" text-anchor="middle" fill="#57606a">${((part * last) / 60).toFixed(last < 600 ? 1 : 0)}</text>`,
  );
  const ends = [level - rise / 2, level + rise / 2].map(y);
  return `<text x="${panel.left}" y="${top - 6}" fill="#1f2328">${name}${unit === '' ? '' : `, ${unit}`}</text>
<path d="M${panel.left} ${top}V${top + panel.height}H${width - panel.right}" fill="none" stroke="#d0d7de"/>
<text x="${panel.left - 6}" y="${(y(level) + 4).toFixed(1)}" text-anchor="end" fill="#57606a">${figureText(measure, level)}</text>
<polyline points="${line}" fill="none" stroke="#0969da" stroke-width="1.2"/>
<line x1="${x(last / 2)}" y1="${(ends[0] ?? 0).toFixed(1)}" x2="${x(last)}" y2="${(ends[1] ?? 0).toFixed(1)}" stroke="${isFlat ? '#1a7f37' : '#cf222e'}" stroke-width="1.5" stroke-dasharray="5 3"/>
${ticks.join('')}`;
}
