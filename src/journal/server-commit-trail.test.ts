import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import { createServerCommitTrail } from './server-commit-trail.ts';

const server = 'one';
const [a, b] = ['ses_a' as SessionId, 'ses_b' as SessionId];

test('[O14] a commit of a transaction that was running at the last look is found by the next one', () => {
  const trail = createServerCommitTrail(10, () => 0);
  expect(trail.since()).toBe(10);
  // Transaction 11 is running, 12 has committed.
  expect(trail.read({ commits: [[a, 1]], oldest: 11, next: 13, server })).toEqual([{ session: a, seq: 1 }]);
  expect(trail.since()).toBe(11);
  const both = [
    [a, 1],
    [b, 4],
  ] as const;
  expect(trail.read({ commits: both, oldest: 13, next: 13, server })).toEqual([{ session: b, seq: 4 }]);
  expect(trail.since()).toBe(13);
});

test('[O14] own commits are not reported, others only once', () => {
  const trail = createServerCommitTrail(1, () => 0);
  trail.own({ session: a, seq: 3 });
  expect(trail.read({ commits: [[a, 3]], oldest: 2, next: 5, server })).toEqual([]);
  expect(trail.read({ commits: [[a, 4]], oldest: 2, next: 6, server })).toEqual([{ session: a, seq: 4 }]);
  expect(trail.read({ commits: [[a, 4]], oldest: 2, next: 6, server })).toEqual([]);
});

test('[C97] [O14] an own commit that a look found before its answer came is reported once', () => {
  const trail = createServerCommitTrail(1, () => 0);
  expect(trail.read({ commits: [[a, 3]], oldest: 2, next: 5, server })).toEqual([{ session: a, seq: 3 }]);
  expect(trail.own({ session: a, seq: 3 })).toBe(false);
  expect(trail.own({ session: a, seq: 4 })).toBe(true);
});

test('[O14] another program with an hour-long transaction does not make each look read an hour', () => {
  let now = 0;
  const trail = createServerCommitTrail(1, () => now);
  trail.read({ commits: [], oldest: 5, next: 100, server });
  now = 59_000;
  trail.read({ commits: [], oldest: 5, next: 200, server });
  expect(trail.since()).toBe(5);
  now = 61_000;
  trail.read({ commits: [], oldest: 5, next: 300, server });
  expect(trail.since()).toBe(100);
});

test('[O14] commits from before the first listener are not reported', () => {
  const trail = createServerCommitTrail(1, () => 0);
  trail.skip({ commits: [], oldest: 50, next: 60, server });
  expect(trail.since()).toBe(50);
});

test.each([
  ['a promoted standby', { server: 'two', next: 300 }],
  ['a server that crashed', { server: 'one', next: 195 }],
])('[O14] %s gives numbers again: what it commits under them is found', (_, another) => {
  let now = 0;
  const trail = createServerCommitTrail(1, () => now);
  trail.read({ commits: [], oldest: 100, next: 100, server });
  now = 30_000;
  trail.read({ commits: [[a, 1]], oldest: 200, next: 200, server });
  expect(trail.since()).toBe(200);
  // Transaction 190 of the other server is below the trail.
  expect(trail.read({ commits: [], oldest: another.next, ...another })).toEqual([]);
  expect(trail.since()).toBe(100);
  expect(trail.read({ commits: [[b, 7]], oldest: another.next, ...another })).toEqual([{ session: b, seq: 7 }]);
  expect(trail.since()).toBe(another.next);
});
