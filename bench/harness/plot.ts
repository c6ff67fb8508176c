/**
 * One SVG file with a curve per runtime: lines are distinguishable without color, each is named at its end, and
 * the chart is readable on light and dark pages. Both axes are logarithmic by default, because the values differ by
 * powers of ten.
 */
export interface Plot {
  /** The file's name without its extension. */
  readonly name: string;
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly curves: readonly Curve[];
}

interface Axis {
  readonly label: string;
  readonly scale: 'linear' | 'logarithmic';
}

interface Curve {
  readonly title: string;
  readonly of: 'rondo' | 'floor' | 'peer';
  /** In order of x. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

const width = 950;
const height = 440;
const area = { left: 64, right: 560, top: 48, bottom: 388 };
const labelHeight = 15;
const dashes = ['', '7 3', '2 3', '10 3 2 3', '4 2', '1 2', '12 4', '6 2 1 2'];

export function plotToSvg({ title, x, y, curves }: Plot): string {
  const drawn = curves
    .map((curve) => ({
      ...curve,
      points: curve.points.filter(([at, value]) => isShown(at, x) && isShown(value, y)),
    }))
    .filter(({ points }) => points.length > 0);
  const toX = placeOn(x, valuesOf(drawn, 0), area.left, area.right);
  const toY = placeOn(y, valuesOf(drawn, 1), area.bottom, area.top);
  const ends = labelPlaces(drawn.map(({ points }) => toY.place(points.at(-1)?.[1] ?? 1)));
  const lines = drawn.map(({ of, points, title: name }, index) => {
    const path = points.map(([at, value]) => `${round(toX.place(at))},${round(toY.place(value))}`).join(' ');
    const style =
      of === 'peer' ? ` class="peer" stroke-dasharray="${dashes[index % dashes.length]}"` : ` class="${of}"`;
    const [lastX = 0, lastY = 1] = points.at(-1) ?? [];
    const labelY = round(ends[index] ?? 0);
    const leader = `${round(toX.place(lastX))},${round(toY.place(lastY))} ${area.right + 14},${labelY}`;
    return [
      `<polyline points="${path}"${style}/>`,
      ...(points.length > 8 ? [] : points.map((point) => dot(toX.place(point[0]), toY.place(point[1]), of))),
      `<polyline points="${leader}" class="leader"/>`,
      `<text x="${area.right + 18}" y="${labelY + 4}" class="${of}">${escaped(name)}</text>`,
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>
  svg { background: #fff; font: 12px system-ui, sans-serif; }
  text { fill: #444; }
  polyline, line { fill: none; stroke: #bbb; }
  .grid { stroke: #e4e4e4; }
  .leader { stroke-width: 0.6; }
  .peer { stroke: #6b7280; stroke-width: 1.6; }
  .floor { stroke: #0f766e; stroke-width: 2; }
  .rondo { stroke: #c2410c; stroke-width: 3; }
  text.peer, text.floor, text.rondo { stroke: none; }
  text.floor { fill: #0f766e; }
  text.rondo { fill: #c2410c; font-weight: 600; }
  circle { fill: #6b7280; stroke: none; }
  circle.floor { fill: #0f766e; }
  circle.rondo { fill: #c2410c; }
  .title { font-size: 15px; font-weight: 600; fill: #111; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; }
    text { fill: #c9d1d9; }
    .grid { stroke: #21262d; }
    polyline, line { stroke: #484f58; }
    .peer { stroke: #8b949e; }
    .floor { stroke: #2dd4bf; }
    .rondo { stroke: #fb923c; }
    text.floor { fill: #2dd4bf; }
    text.rondo { fill: #fb923c; }
    circle { fill: #8b949e; }
    circle.floor { fill: #2dd4bf; }
    circle.rondo { fill: #fb923c; }
    .title { fill: #f0f6fc; }
  }
</style>
<text x="${area.left}" y="26" class="title">${escaped(title)}</text>
${toX.ticks.map((tick) => xTick(toX.place(tick), tick)).join('\n')}
${toY.ticks.map((tick) => yTick(toY.place(tick), tick)).join('\n')}
<text x="${(area.left + area.right) / 2}" y="${height - 12}" text-anchor="middle">${escaped(x.label)}</text>
<text x="16" y="${(area.top + area.bottom) / 2}" text-anchor="middle" transform="rotate(-90 16 ${(area.top + area.bottom) / 2})">${escaped(y.label)}</text>
${lines.join('\n')}
</svg>
`;
}

function isShown(value: number, { scale }: Axis): boolean {
  return Number.isFinite(value) && (scale === 'linear' || value > 0);
}

function valuesOf(curves: readonly Curve[], index: 0 | 1): readonly number[] {
  return curves.flatMap(({ points }) => points.map((point) => point[index]));
}

function placeOn(
  { scale }: Axis,
  values: readonly number[],
  from: number,
  to: number,
): { place(value: number): number; readonly ticks: readonly number[] } {
  const least = Math.min(...values);
  const most = Math.max(...values);
  if (scale === 'linear') {
    const step = 10 ** Math.floor(Math.log10(most || 1)) / 2;
    const top = Math.ceil(most / step) * step;
    const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step);
    return { place: (value) => from + (value / top) * (to - from), ticks };
  }
  const low = Math.floor(Math.log10(least));
  const high = Math.max(Math.ceil(Math.log10(most)), low + 1);
  return {
    place: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
  };
}

/** Positions of the curve names: beside the ends, moved apart as far as needed. */
function labelPlaces(ends: readonly number[]): readonly number[] {
  const placed = [...ends];
  const order = ends.map((_, index) => index).toSorted((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0));
  let free = area.top;
  for (const index of order) {
    placed[index] = Math.max(ends[index] ?? 0, free);
    free = (placed[index] ?? 0) + labelHeight;
  }
  let ceiling = area.bottom;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, ceiling);
    ceiling = (placed[index] ?? 0) - labelHeight;
  }
  return placed;
}

function dot(x: number, y: number, of: Curve['of']): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="3" class="${of}"/>`;
}

function xTick(x: number, value: number): string {
  return `<line x1="${round(x)}" y1="${area.top}" x2="${round(x)}" y2="${area.bottom}" class="grid"/><text x="${round(x)}" y="${area.bottom + 18}" text-anchor="middle">${amount(value)}</text>`;
}

function yTick(y: number, value: number): string {
  return `<line x1="${area.left}" y1="${round(y)}" x2="${area.right}" y2="${round(y)}" class="grid"/><text x="${area.left - 8}" y="${round(y) + 4}" text-anchor="end">${amount(value)}</text>`;
}

function amount(value: number): string {
  return value >= 1 ? value.toLocaleString('en-US') : String(Number(value.toPrecision(1)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
