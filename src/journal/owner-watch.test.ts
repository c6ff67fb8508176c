import { expect, test } from 'vitest';

import { createOwnerWatch } from './owner-watch.ts';
import type { ProcessRow } from './process-row.ts';

const row = (id: string, beat: number, taken = 0) => ({ id, beat, taken }) as ProcessRow;

function setUp(...dead: readonly string[]) {
  const time = { at: 0 };
  const watch = createOwnerWatch({
    isDead: ({ id }) => dead.includes(id),
    self: () => ({ id: 'self', pid: 1, startedAt: '1', bootId: 'boot', host: 'here' }),
    leaseMs: 100,
    clock: { uptime: () => time.at },
  });
  const isGoneAt = (at: number, of: ProcessRow) => {
    time.at = at;
    return watch.isGone(of);
  };
  return { watch, isGoneAt };
}

test('[O5] an owner whose counter stands still is gone after a whole lease in which somebody looked', () => {
  const { isGoneAt } = setUp();
  expect([0, 50, 99, 100].map((at) => isGoneAt(at, row('a', 1)))).toEqual([false, false, false, true]);
});

test('[O5] an owner that raises its counter is never gone', () => {
  const { isGoneAt } = setUp();
  expect([0, 60, 120, 180].map((at) => isGoneAt(at, row('a', at)))).toEqual([false, false, false, false]);
  expect([200, 279, 280].map((at) => isGoneAt(at, row('a', 180)))).toEqual([false, false, true]);
});

test('[O5] a watcher that did not look for longer than a lease begins again: it may have slept too', () => {
  const { isGoneAt } = setUp();
  expect([0, 100, 201, 300, 301].map((at) => isGoneAt(at, row('a', at < 150 ? at : 9)))).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
});

test('[O5] a dead process, or one that lost its lease, is gone at once', () => {
  const { watch, isGoneAt } = setUp('dead');
  expect([isGoneAt(0, row('dead', 1)), isGoneAt(0, row('taken', 1, 1)), isGoneAt(0, row('a', 1))]).toEqual([
    true,
    true,
    false,
  ]);
  expect([watch.isDead(row('dead', 1)), watch.isDead(row('taken', 1, 1))]).toEqual([true, false]);
});
