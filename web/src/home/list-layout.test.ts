import { expect, test } from 'vitest';

import { sectionsAround } from './list-layout.ts';

const sections = [
  { name: 'needs-you', count: 2 },
  { name: 'earlier', count: 10_000 },
];
const size = { headHeight: 40, rowHeight: 40 };

test('only rows near the window exist, and every row has its place', () => {
  const {
    total,
    sections: placed,
    first,
    last,
  } = sectionsAround(sections, { ...size, from: 400_000 - 400, to: 400_000 + 800 });
  expect(total).toBe(2 * 40 + 10_002 * 40);
  expect(placed).toEqual([{ name: 'earlier', count: 10_000, at: 120, from: 9988, to: 10_002, before: 9986 }]);
  expect([first, last]).toEqual([9988, 10_001]);
  expect(sectionsAround(sections, { ...size, from: 0, to: 0, place: 2 }).offset).toBe(160);
  expect(sectionsAround([], { ...size, from: 0, to: 800 })).toMatchObject({ total: 0, sections: [], last: -1 });
});
