import { expect, test } from 'vitest';

import { createCommitTrail } from './commit-trail.ts';
import type { Driver } from './driver.ts';

/** The records of a store in the order of their positions, written by this process or by another. */
function setUp() {
  const records: { readonly position: number; readonly session: string; readonly last: number }[] = [];
  const asked: number[] = [];
  const db = {
    get: () => ({ position: records.at(-1)?.position ?? null }),
    all(_sql: string, since: number, limit: number) {
      asked.push(since);
      return records.filter(({ position }) => position > since).slice(0, limit);
    },
  } as unknown as Driver;
  const trail = createCommitTrail(db);
  const write = (session: string, count = 1): readonly [number, number] => {
    const first = records.length + 1;
    for (let index = 0; index < count; index += 1) {
      records.push({ position: first + index, session, last: first + index });
    }
    return [first, first + count - 1];
  };
  return { trail, write, asked };
}

test('[O14] commits of other processes are found from the beginning on, the newest of each session, until confirmed', () => {
  const { trail, write } = setUp();
  write('before');
  trail.begin();
  write('a');
  write('b');
  write('a');
  const expected = [
    { session: 'a', seq: 4 },
    { session: 'b', seq: 3 },
  ];
  expect(trail.others().commits).toEqual(expected);
  const again = trail.others();
  expect(again.commits).toEqual(expected);
  again.confirm();
  expect(trail.others().commits).toEqual([]);
});

test("[O14] leaves out this process's own commits before, between and after those of others", () => {
  const { trail, write } = setUp();
  trail.begin();
  trail.own(write('mine', 2));
  write('a');
  trail.own(write('mine', 3));
  write('b');
  const batch = trail.others();
  expect(batch.commits).toEqual([
    { session: 'a', seq: 3 },
    { session: 'b', seq: 7 },
  ]);
  batch.confirm();
  trail.own(write('mine'));
  expect(trail.others().commits).toEqual([]);
});

test("[O14] [P10] a look starts after this process's last record while nobody else writes", () => {
  const { trail, write, asked } = setUp();
  trail.begin();
  trail.own(write('mine', 5));
  trail.own(write('mine', 2));
  trail.others();
  expect(asked).toEqual([7]);
});

test('[O14] a confirmation that comes late does not step back', () => {
  const { trail, write, asked } = setUp();
  trail.begin();
  write('a');
  const early = trail.others();
  write('b');
  trail.others().confirm();
  early.confirm();
  trail.others();
  expect(asked.at(-1)).toBe(2);
});

test('[O14] more commits than one query returns are all found', () => {
  const { trail, write } = setUp();
  trail.begin();
  write('a', 1000);
  write('b', 1001);
  const batch = trail.others();
  expect(batch.commits).toEqual([
    { session: 'a', seq: 1000 },
    { session: 'b', seq: 2001 },
  ]);
  batch.confirm();
  expect(trail.others().commits).toEqual([]);
});

test('[C97] [O14] an own commit that a look found before its answer came is reported once', () => {
  const { trail, write } = setUp();
  trail.begin();
  const early = write('mine', 2);
  const batch = trail.others();
  expect(batch.commits).toEqual([{ session: 'mine', seq: 2 }]);
  batch.confirm();
  expect(trail.own(early)).toBe(false);
  expect(trail.own(write('mine'))).toBe(true);
  expect(trail.others().commits).toEqual([]);
});
