import { EventEmitter } from 'node:events';

import { expect, onTestFinished, test } from 'vitest';

import type { Database } from './database.ts';
import { createNotifications } from './notifications.ts';

/** A server whose notifications reach the connections that are not silent. */
function place() {
  const connections: { readonly client: EventEmitter; isSilent: boolean; isDestroyed: boolean }[] = [];
  const db: Pick<Database, 'connect' | 'rows'> = {
    async connect() {
      const one = { client: new EventEmitter(), isSilent: false, isDestroyed: false };
      connections.push(one);
      const stream = { ref() {}, unref() {}, destroy: () => (one.isDestroyed = true) };
      return Object.assign(one.client, {
        query: async () => undefined,
        end: async () => void one.client.emit('end'),
        connection: { stream },
      }) as never;
    },
    async rows(_doing, _sql, values = []) {
      for (const { client, isSilent } of connections)
        if (!isSilent) client.emit('notification', { payload: values[1] });
      return [];
    },
  };
  const notifications = createNotifications({
    db: db as Database,
    channel: 'c',
    self: () => 'me',
    probeMs: 30,
    againMs: 60,
  });
  onTestFinished(() => notifications.close());
  return { connections, notifications };
}

test('[C151] [O14] a connection that falls silent is left for another, and in between nobody relies on it', async () => {
  const { connections, notifications } = place();
  notifications.startSoon();
  await expect.poll(() => notifications.arrive()).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([notifications.arrive(), connections.length]).toEqual([true, 1]);
  for (const one of connections) one.isSilent = true;
  await expect.poll(() => notifications.arrive(), { interval: 5 }).toBe(false);
  await expect.poll(() => notifications.arrive()).toBe(true);
  expect(connections.map(({ isDestroyed }) => isDestroyed)).toEqual([true, false]);
});
