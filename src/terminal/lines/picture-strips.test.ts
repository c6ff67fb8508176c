import { inflateSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { pngOf } from '../../../test/fixtures/png.ts';
import { pictureStrips } from './picture-strips.ts';

const one = { columns: 1, rows: 1 };

/** The pixels of a strip whose rows have no filter. */
function pixelsOf(strip: Buffer | undefined, width: number): readonly (readonly number[])[] {
  const lines = strip === undefined ? Buffer.alloc(0) : inflateSync(strip.subarray(strip.indexOf('IDAT') + 4));
  const bytes = [...lines].filter((_, index) => index % (width * 4 + 1) !== 0);
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.slice(index * 4, index * 4 + 4));
}

test('[C126] every kind of colour is read', async () => {
  const palette = Buffer.from([0, 0, 0, 10, 20, 30, 40, 50, 60]);
  const cases: [Parameters<typeof pngOf>[0], readonly number[][]][] = [
    [
      { width: 2, height: 1, kind: 0, rows: () => Buffer.from([7, 200]) },
      [
        [7, 7, 7, 255],
        [200, 200, 200, 255],
      ],
    ],
    [
      { width: 2, height: 1, kind: 0, depth: 1, rows: () => Buffer.from([0b0100_0000]) },
      [
        [0, 0, 0, 255],
        [255, 255, 255, 255],
      ],
    ],
    [{ width: 1, height: 1, kind: 2, rows: () => Buffer.from([1, 2, 3]) }, [[1, 2, 3, 255]]],
    [{ width: 1, height: 1, kind: 2, depth: 16, rows: () => Buffer.from([1, 9, 2, 9, 3, 9]) }, [[1, 2, 3, 255]]],
    [
      {
        width: 2,
        height: 1,
        kind: 3,
        depth: 4,
        palette,
        alphas: Buffer.from([255, 128]),
        rows: () => Buffer.from([0x12]),
      },
      [
        [10, 20, 30, 128],
        [40, 50, 60, 255],
      ],
    ],
    [{ width: 1, height: 1, kind: 4, rows: () => Buffer.from([90, 100]) }, [[90, 90, 90, 100]]],
    [{ width: 1, height: 1, kind: 6, rows: () => Buffer.from([1, 2, 3, 4]) }, [[1, 2, 3, 4]]],
  ];
  for (const [parts, pixels] of cases) {
    const [strip] = (await pictureStrips(pngOf(parts), one)) ?? [];
    expect(pixelsOf(strip, parts.width)).toEqual(pixels);
  }
});

test('[C126] every filter of rows is undone', async () => {
  // Each row adds to what its filter predicts.
  const rows = [
    [10, 20, 30],
    [1, 1, 1],
    [1, 1, 1],
    [1, 1, 1],
    [1, 1, 1],
  ];
  const strips = await pictureStrips(
    pngOf({ width: 3, height: 5, kind: 0, filter: (y) => y, rows: (y) => Buffer.from(rows[y] ?? []) }),
    one,
  );
  expect(pixelsOf(strips?.[0], 3).map(([grey]) => grey)).toEqual([10, 20, 30, 1, 2, 3, 2, 3, 4, 2, 3, 4, 3, 4, 5]);
});

test('[C126] a smaller picture shows averages, in which transparent pixels have no colour', async () => {
  const pair = Buffer.from([200, 100, 0, 255, 0, 0, 255, 0]);
  const wide = pngOf({
    width: 20,
    height: 1,
    kind: 6,
    rows: () => Buffer.concat(Array.from({ length: 10 }, () => pair)),
  });
  const strips = await pictureStrips(wide, one);
  expect(pixelsOf(strips?.[0], 10)[0]).toEqual([200, 100, 0, 128]);
});

test('[C126] nothing is drawn of a picture that is damaged, interlaced or too large', async () => {
  const good = { width: 2, height: 2, kind: 0, rows: () => Buffer.from([1, 2]) };
  expect(await pictureStrips(pngOf(good), one)).toHaveLength(1);
  const bad = [
    Buffer.from('GIF89a'),
    pngOf(good).subarray(0, 40),
    pngOf({ ...good, isInterlaced: true }),
    pngOf({ ...good, filter: () => 5 }),
    pngOf({ ...good, depth: 3 }),
    pngOf({ ...good, kind: 1 }),
    pngOf({ ...good, height: 0 }),
    // Its rows hold less, or far more, than its header says.
    pngOf({ ...good, rows: () => Buffer.from([1]) }),
    pngOf({ ...good, rows: () => Buffer.alloc(1000) }),
    pngOf({ ...good, width: 100_000, height: 1, rows: () => Buffer.alloc(1) }),
  ];
  for (const picture of bad) expect(await pictureStrips(picture, one)).toBeUndefined();
});
