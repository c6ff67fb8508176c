import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { createRowHeights } from './row-heights.ts';

type Step =
  | { readonly type: 'measure'; readonly row: number; readonly height: number }
  | { readonly type: 'resize' | 'before'; readonly count: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('measure' as const), row: fc.nat(60), height: fc.integer({ min: 1, max: 500 }) }),
  fc.record({ type: fc.constantFrom('resize' as const, 'before' as const), count: fc.nat(40) }),
);

test('offsets equal the plain sums, whatever was measured, added or left out', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(10_000), (steps, offset) => {
      const rows = createRowHeights(50);
      let plain: number[] = [];
      for (const one of steps) {
        if (one.type === 'measure') {
          rows.measure(one.row, one.height);
          if (one.row < plain.length) plain[one.row] = one.height;
        } else if (one.type === 'resize') {
          rows.resize(one.count);
          plain = Array.from({ length: one.count }, (_, row) => plain[row] ?? 50);
        } else {
          rows.insertBefore(one.count);
          plain = [...Array.from({ length: one.count }, () => 50), ...plain];
        }
      }
      const offsets = plain.map((_, row) => plain.slice(0, row).reduce((sum, height) => sum + height, 0));
      const total = plain.reduce((sum, height) => sum + height, 0);
      const covering = offsets.findLastIndex((top) => top <= offset);
      expect({
        total: rows.total,
        offsets: plain.map((_, row) => rows.offsetOf(row)),
        at: rows.rowAt(offset),
      }).toEqual({
        total,
        offsets,
        at: Math.max(0, covering),
      });
    }),
  );
});

test('100,000 rows are placed and measured without going through them all', () => {
  const rows = createRowHeights(40);
  rows.resize(100_000);
  const started = performance.now();
  for (let row = 0; row < 100_000; row += 1) rows.measure(row, 40 + (row % 7));
  for (let offset = 0; offset < rows.total; offset += 1000) rows.rowAt(offset);
  expect(rows.rowAt(rows.total)).toBe(99_999);
  expect(performance.now() - started).toBeLessThan(2000);
});
