import { expect, test } from 'vitest';

import { plotToSvg, type Plot } from './plot.ts';

const plot: Plot = {
  name: 'sample',
  title: 'Time & size',
  x: { label: 'events', scale: 'logarithmic' },
  y: { label: 'ms', scale: 'logarithmic' },
  curves: [
    {
      title: 'floor',
      of: 'floor',
      points: [
        [10, 1],
        [100, 10],
      ],
    },
    {
      title: 'Rondo',
      of: 'rondo',
      points: [
        [10, 10],
        [100, 10],
      ],
    },
    {
      title: 'a <peer>',
      of: 'peer',
      points: [
        [10, Number.NaN],
        [100, 0],
      ],
    },
  ],
};

test('each curve has its place on logarithmic axes and its name beside its end', () => {
  const svg = plotToSvg(plot);
  expect(svg).toContain('<polyline points="64,388 560,48" class="floor"/>');
  expect(svg).toContain('<polyline points="64,48 560,48" class="rondo"/>');
  expect([...svg.matchAll(/<text x="578" y="([\d.]+)" class="(\w+)">/g)].map(([, y, of]) => [y, of])).toEqual([
    ['52', 'floor'],
    ['67', 'rondo'],
  ]);
});

test("unmeasured values aren't drawn, and text is escaped", () => {
  const svg = plotToSvg(plot);
  expect(svg).not.toContain('peer&gt;');
  expect(svg).toContain('Time &amp; size');
});

test('a plot without a curve is an empty frame, not an error', () => {
  expect(plotToSvg({ ...plot, curves: [] })).toContain('</svg>');
});
