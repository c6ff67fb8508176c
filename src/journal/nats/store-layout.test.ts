import { expect, test } from 'vitest';

import { natsPlace } from './nats-address.ts';
import type { NatsClient } from './nats-client.ts';
import { prepareStore } from './store-layout.ts';

/** A server without streams, which refuses to make any. */
function serverOf(version: string): NatsClient {
  const missing = Object.assign(new Error('stream not found'), { code: 10_059 });
  return {
    connection: { info: { version } },
    lastSeq: () => Promise.reject(missing),
    create: () => Promise.reject(new Error('creating')),
  } as unknown as NatsClient;
}

test('[P1] [C152] no store with replicas is created on servers that can’t keep them equal', async () => {
  const created = async (version: string, replicas: number) =>
    await prepareStore(serverOf(version), natsPlace(`nats://127.0.0.1/team?replicas=${replicas}`)).catch(
      (error: unknown) => (error as Error).message,
    );
  expect(await created('2.9.20', 3)).toMatch(/NATS 2\.9\.20 can't keep replicas equal\. Use NATS 2\.10\.23/);
  expect([await created('2.9.20', 1), await created('2.9.21', 3), await created('2.10.27', 3)]).toEqual([
    'creating',
    'creating',
    'creating',
  ]);
});
