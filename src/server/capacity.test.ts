import { expect, test } from 'vitest';

import { createCapacity } from './capacity.ts';

const MB = 1024 * 1024;

test('[C125] connections and memory have a limit each, and each its own words', () => {
  let used = 10 * MB;
  const { forConnection, forSession } = createCapacity({ connections: 2, memory: 100 * MB }, () => used);
  expect([forConnection(1), forSession()]).toEqual([undefined, undefined]);
  expect(forConnection(2)).toEqual({
    code: 'LIMIT_REACHED',
    message: 'This server is at its limit of 2 connections. Close some, or retry later.',
  });
  used = 120 * MB;
  const full = {
    code: 'LIMIT_REACHED',
    message: 'This server uses 120.0 MB of its memory limit of 100.0 MB. End finished sessions, or retry later.',
  };
  expect([forConnection(1), forSession()]).toEqual([full, full]);
});

test('[C125] by default there is room in a server that just started', () => {
  expect(createCapacity({}).forSession()).toBeUndefined();
});
