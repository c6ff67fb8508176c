import { expect, onTestFinished, test, vi } from 'vitest';

import type { Commit } from '../ports/journal.ts';
import { first } from '../testing/contracts/journal-samples.ts';
import type { News } from './server-news.ts';
import { createServerWakeUps } from './server-wake-ups.ts';
import { noNotifications } from './postgres/notifications.ts';

const news: News = {
  arrivals: [],
  handOvers: [],
  free: [],
  answers: [],
  draining: false,
  queue: 0,
  commits: [[first, 3]],
  oldest: 5,
  next: 5,
  server: '',
};

test('[O14] a look without an answer is given up, and the next one finds the same news', async () => {
  const asked: (number | null)[] = [];
  const wakeUps = createServerWakeUps({
    async read({ since }) {
      asked.push(since);
      return asked.length === 1 ? new Promise<never>(() => undefined) : news;
    },
    bus: {
      subscribe: () => () => undefined,
      publish: () => undefined,
      start: () => Promise.resolve(),
      startSoon: () => undefined,
    },
    notifications: noNotifications,
    start: 2,
    lookMs: 20,
  });
  const commits: Commit[] = [];
  wakeUps.onCommit((commit) => commits.push(commit));
  await expect.poll(() => commits, { timeout: 5000 }).toEqual([{ session: first, seq: 3 }]);
  expect(asked).toEqual([2, 2]);
  wakeUps.close();
});

test('a process looks for the commits of others only for its listeners, and pauses between looks', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let poke: (message: string) => void = () => undefined;
  let looks = 0;
  const wakeUps = createServerWakeUps({
    read: () => Promise.resolve(((looks += 1), news)),
    bus: {
      subscribe: (_, listener) => ((poke = listener), () => undefined),
      publish: () => undefined,
      start: () => Promise.resolve(),
      startSoon: () => undefined,
    },
    notifications: noNotifications,
    start: 2,
  });
  const looksAfter = async (...messages: readonly string[]) => {
    looks = 0;
    for (const message of messages) {
      poke(message);
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    return looks;
  };
  wakeUps.setOwning(true);
  expect(await looksAfter('commit', 'commit', '')).toBe(1);
  wakeUps.onCommit(() => undefined);
  // The look of the new listener.
  expect(await looksAfter('commit', 'commit', 'commit')).toBe(2);
  vi.advanceTimersByTime(50);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(looks).toBe(3);
  wakeUps.close();
});
