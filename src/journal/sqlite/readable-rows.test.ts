import { expect, test } from 'vitest';

import type { Driver } from './driver.ts';
import { readableRows } from './readable-rows.ts';

interface Row {
  readonly position: number;
}

/** A table with these rows, of which some can't be read: a query that meets one of them fails. */
function table(rows: readonly number[], isLost: (row: number) => boolean = () => false) {
  const read = { pages: 0, single: 0 };
  const reading = (wanted: readonly number[]) => {
    if (wanted.some(isLost)) throw new Error('database disk image is malformed');
    return wanted.map((position) => ({ position }));
  };
  const db = {
    all(_sql: string, place?: number, limit?: number) {
      read.pages += 1;
      return reading(place === undefined ? rows : rows.filter((row) => row > place).slice(0, limit));
    },
    get(_sql: string, position: number) {
      read.single += 1;
      return reading(rows.filter((row) => row === position))[0];
    },
  } as unknown as Driver;
  const readAll = (numbered?: string) =>
    [...readableRows<Row>(db, 'records', numbered)].map(({ position }) => position);
  return { readAll, read };
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('[P1] a sound table is read page by page', () => {
  const { readAll, read } = table(upTo(450));
  expect(readAll('position')).toEqual(upTo(450));
  expect(read).toEqual({ pages: 3, single: 0 });
});

test('[P1] skips lost rows and reads on after them', () => {
  const isLost = (row: number) => row === 7 || (row > 50 && row < 60);
  const { readAll, read } = table(upTo(1000), isLost);
  expect(readAll('position')).toEqual(upTo(1000).filter((row) => !isLost(row)));
  expect(read).toEqual({ pages: 6, single: 200 });
});

test('[P1] a long stretch is crossed in strides, and the rows before the first that is found come too', () => {
  const isLost = (row: number) => row > 10 && row <= 5010;
  const { readAll, read } = table(upTo(6000), isLost);
  expect(readAll('position')).toEqual([...upTo(10), ...upTo(6000).filter((row) => row > 5010)]);
  expect(read.single).toBeLessThan(1200);
});

test('[P1] treats the rest as lost after twenty thousand unreadable rows', () => {
  const { readAll } = table([1, 25_000, 60_000], (row) => row === 25_000);
  expect(readAll('position')).toEqual([1]);
});

test('[P1] a table without numbers is read whole or not at all', () => {
  expect(table(upTo(3)).readAll()).toEqual([1, 2, 3]);
  expect(table(upTo(3), (row) => row === 2).readAll()).toEqual([]);
});
