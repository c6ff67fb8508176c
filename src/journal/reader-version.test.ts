import { expect, test } from 'vitest';

import { fleetReader, leastReaderOf, readerVersion } from './reader-version.ts';

test('[O8] events need the newest reader version among their kinds', () => {
  const versions = { 'limit-neared': 2, 'session-continued': 4 } as const;
  const of = (...types: readonly ('custom' | 'limit-neared' | 'session-continued')[]) =>
    leastReaderOf(
      types.map((type) => ({ event: { type } })),
      versions,
    );
  expect(of()).toBe(1);
  expect(of('custom')).toBe(1);
  expect(of('custom', 'session-continued', 'limit-neared')).toBe(4);
});

test('[O8] a new kind stays off while a living node has an older reader version', () => {
  const node = (reader: number, isAlive = true) => ({ reader, isAlive });
  expect(fleetReader([])).toBe(readerVersion);
  expect(fleetReader([node(readerVersion + 1), node(readerVersion)])).toBe(readerVersion);
  expect(fleetReader([node(readerVersion), node(0)])).toBe(0);
  expect(fleetReader([node(readerVersion), node(0, false)])).toBe(readerVersion);
});
