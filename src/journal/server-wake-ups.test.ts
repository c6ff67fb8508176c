import { expect, test } from 'vitest';

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
