// A long message and its pieces are in two streams, whose leaders may lag differently.
import { expect, test } from 'vitest';

import { withLargeBodies } from './large-bodies.ts';
import type { NatsClient } from './nats-client.ts';
import type { NatsMessage } from './nats-message.ts';
import { layoutOf } from './store-layout.ts';

const layout = layoutOf('team', 1);
const { stream, subject } = layout.logOf('ses_1');

/** The last piece is known from a look on. */
function clientOf(known: number): NatsClient {
  const stored: NatsMessage[] = [];
  let looks = 0;
  return {
    mostBytes: 300_000,
    publish: (_doing: string, to: string, body: Uint8Array, { isInPieces = false } = {}) => {
      const message = { seq: stored.length + 1, subject: to, id: '', body: Buffer.from(body), isInPieces };
      return Promise.resolve(stored.push(message));
    },
    last: (_doing: string, _stream: string, of: string) => {
      const isLast = of.endsWith('.1');
      if (isLast) looks += 1;
      return Promise.resolve(isLast && looks < known ? undefined : stored.find((one) => one.subject === of));
    },
  } as unknown as NatsClient;
}

test('[P1] a long message is read whole, once the leader of its pieces knows them', async () => {
  const text = 'x'.repeat(400_000);
  const client = withLargeBodies(clientOf(3), layout);
  await client.publish('Writing', subject, text);
  expect((await client.last('Reading', stream, subject))?.body.toString()).toBe(text);
});

test('[P1] a long message that lost a piece is damaged, not shorter', async () => {
  const client = withLargeBodies(clientOf(Infinity), layout, 50);
  await client.publish('Writing', subject, 'x'.repeat(400_000));
  await expect(client.last('Reading', stream, subject)).rejects.toThrow(
    'Reading failed: the servers lost a part of a long message.',
  );
});
