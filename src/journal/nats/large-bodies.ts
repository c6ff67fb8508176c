/**
 * Texts that are too long for one message: their pieces go first, and the message names them. The pieces of a session
 * share a group, so that they are removed with it. They are in another stream, whose leader may lag behind when a log
 * names them already.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Fault } from '../../kernel/fault.ts';
import type { NatsClient, PublishOptions } from './nats-client.ts';
import type { NatsMessage } from './nats-message.ts';
import type { StoreLayout } from './store-layout.ts';

const longestPiece = 262_144;
const piecesWithinMs = 8000;
const pauseMs = 100;

export function withLargeBodies(client: NatsClient, layout: StoreLayout, withinMs = piecesWithinMs): NatsClient {
  const { mostBytes } = client;
  const pieceBytes = Math.min(longestPiece, mostBytes);

  async function whole(doing: string, message: NatsMessage): Promise<NatsMessage> {
    if (!message.isInPieces) return message;
    const [group, content, count] = JSON.parse(message.body.toString()) as Pieces;
    // Pieces in the same stream as their message, such as a snapshot's, may be gone because they are replaced.
    const isOfLog = !message.subject.startsWith(layout.subject('kept', ''));
    for (const until = performance.now() + withinMs; ; await sleep(pauseMs)) {
      const pieces = await Promise.all(
        Array.from({ length: count }, (_, index) => {
          const subject = layout.subject('kept', 'piece', group, content, String(index));
          return client.last(doing, layout.kept, subject);
        }),
      );
      if (!isOfLog || !pieces.includes(undefined))
        return { ...message, body: Buffer.concat(pieces.map((piece) => piece?.body ?? Buffer.alloc(0))) };
      if (performance.now() > until)
        throw new Fault('damaged', `${doing} failed: the servers lost a part of a long message.`);
    }
  }

  const fullBody = async (doing: string, reading: Promise<NatsMessage | undefined>) => {
    const message = await reading;
    return message === undefined ? undefined : whole(doing, message);
  };

  return {
    ...client,
    async publish(doing, subject, body, options: PublishOptions = {}) {
      const bytes = Buffer.from(body);
      if (bytes.length <= mostBytes) return client.publish(doing, subject, bytes, options);
      const group = options.group ?? subject.split('.').at(-1) ?? '';
      const content = options.id ?? randomUUID();
      const count = Math.ceil(bytes.length / pieceBytes);
      for (let index = 0; index < count; index += 1) {
        const piece = bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes);
        await client.publish(doing, layout.subject('kept', 'piece', group, content, String(index)), piece);
      }
      const names: Pieces = [group, content, count];
      return client.publish(doing, subject, JSON.stringify(names), { ...options, isInPieces: true });
    },
    last: (doing, ...given) => fullBody(doing, client.last(doing, ...given)),
    next: (doing, ...given) => fullBody(doing, client.next(doing, ...given)),
    at: (doing, ...given) => fullBody(doing, client.at(doing, ...given)),
    async *walk(doing, ...given) {
      for await (const message of client.walk(doing, ...given)) yield await whole(doing, message);
    },
  };
}

type Pieces = readonly [group: string, content: string, count: number];

/** Deletes the pieces of a session, or of anything else whose subject ends so. */
export async function purgePieces(
  client: NatsClient,
  layout: StoreLayout,
  doing: string,
  group: string,
): Promise<void> {
  await client.purge(doing, layout.kept, layout.subject('kept', 'piece', group, '>'));
}
