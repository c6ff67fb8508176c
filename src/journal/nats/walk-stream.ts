/**
 * All messages of a subject that a stream's leader knows. The first few are asked for one by one. More come through a
 * consumer, which in a cluster lives on any server that has a copy, so it may be old. Where it ends, the leader tells
 * whether there is more.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { JetStreamClient } from '@nats-io/jetstream';

import { headerNames, type NatsMessage } from './nats-message.ts';

export interface WalkParts {
  readonly js: JetStreamClient;
  readonly answerMs: number;
  patiently<Value>(doing: string, work: () => Promise<Value>): Promise<Value>;
  next(doing: string, stream: string, subject: string, from: number): Promise<NatsMessage | undefined>;
  /** Waits until the leader knows a message; false if the servers lost it. */
  arrive(doing: string, stream: string, seq: number): Promise<boolean>;
}

interface StreamWalk {
  readonly doing: string;
  readonly stream: string;
  readonly subject: string;
  readonly from: number;
  /** A message of this subject that was seen before. */
  readonly until: number;
  /** Only the leader is asked. */
  readonly isSure?: boolean;
}

/** Longer walks use a consumer. */
const shortWalk = 8;
const fetchedAtOnce = 500;

export async function* walkStream(parts: WalkParts, walk: StreamWalk): AsyncGenerator<NatsMessage> {
  const { doing, stream, subject, from, until, isSure = false } = walk;
  let at = from;
  let hasWaited = false;
  for (let count = 1; ; count += 1) {
    const message = await parts.next(doing, stream, subject, at);
    if (message !== undefined) {
      yield message;
      at = message.seq + 1;
      hasWaited = false;
    } else if (at > until || hasWaited) {
      return;
    } else {
      hasWaited = true;
      await parts.arrive(doing, stream, until);
    }
    if (isSure || count % shortWalk !== 0 || (await parts.next(doing, stream, subject, at)) === undefined)
      continue;
    for await (const one of fetched(parts, { ...walk, from: at })) {
      yield one;
      at = one.seq + 1;
    }
  }
}

/** Ends where a consumer has no more, falls silent, as after a lost connection, or is gone with its server. */
async function* fetched(
  { js, answerMs, patiently }: WalkParts,
  { doing, stream, subject, from }: StreamWalk,
): AsyncGenerator<NatsMessage> {
  for (let at = from; ;) {
    const consumer = await patiently(doing, () =>
      js.consumers.get(stream, {
        filter_subjects: subject,
        opt_start_seq: at,
        deliver_policy: 'by_start_sequence',
      }),
    );
    const page = await consumer.fetch({ max_messages: fetchedAtOnce, expires: 1000 });
    const messages = page[Symbol.asyncIterator]();
    try {
      for (let left = fetchedAtOnce; left > 0; left -= 1) {
        const one = await Promise.race([messages.next(), sleep(2 * answerMs, undefined, { ref: false })]);
        if (one === undefined || one.done === true) return;
        const { seq, subject: named, headers: given, data, info } = one.value;
        yield {
          seq,
          subject: named,
          id: given?.get(headerNames.id) ?? '',
          body: Buffer.from(data),
          isInPieces: given?.has(headerNames.pieces) === true,
        };
        if (info.pending === 0) return;
        at = seq + 1;
      }
    } catch {
      // Its server may have restarted without it. The leader tells what is left.
      return;
    } finally {
      void page.close();
      await consumer.delete().catch(() => undefined);
    }
  }
}
