/**
 * Writes a message after the newest one of its subject that its writer saw. A write that got no answer is sent again:
 * the first message after the expected one tells whether an earlier attempt arrived (O16).
 *
 * 1. A server that was just elected to lead a stream may answer before it applied what its predecessor acknowledged. So
 *    a conflict with an older message than the expected one means waiting.
 * 2. Servers before 2.9.21 compare the expected sequence of replicated messages only when they arrive, so they can't keep
 *    replicas (`store-layout.ts`).
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';

import { natsTroubleOf } from './nats-fault.ts';
import { headerNames, type NatsMessage } from './nats-message.ts';

interface PublishParts {
  readonly js: JetStreamClient;
  readonly answerMs: number;
  readonly headers: () => MsgHdrs;
  patiently<Value>(doing: string, work: () => Promise<Value>): Promise<Value>;
  next(doing: string, stream: string, subject: string, from: number): Promise<NatsMessage | undefined>;
  arrive(doing: string, stream: string, seq: number): Promise<boolean>;
}

interface Publishing {
  readonly doing: string;
  readonly subject: string;
  readonly body: string | Uint8Array;
  readonly id: string;
  readonly isInPieces: boolean;
  /** After which message of which stream; undefined: after any. */
  readonly after?: { readonly stream: string; readonly expected: number };
}

type Attempt =
  | { readonly type: 'written'; readonly seq: number }
  /** Another message is the newest of its subject. */
  | { readonly type: 'refused'; readonly newest: number };

/** Undefined: somebody else's message follows the expected one. */
export async function publishMessage(parts: PublishParts, publishing: Publishing): Promise<number | undefined> {
  const { doing, subject, id, after } = publishing;
  let attempts = 0;
  let hasWaited = false;
  for (;;) {
    const attempt = await parts.patiently(doing, () => {
      attempts += 1;
      return send(parts, publishing);
    });
    if (attempt.type === 'written') return attempt.seq;
    if (after === undefined) return undefined;
    const { stream, expected } = after;
    if (attempt.newest > expected) {
      // Only a repeat can meet its own first attempt.
      if (attempts === 1) return undefined;
      await parts.arrive(doing, stream, attempt.newest);
      const first = await parts.next(doing, stream, subject, expected + 1);
      return first?.id === id ? first.seq : undefined;
    }
    // The expected message isn't there: not yet, or not any more.
    if (hasWaited || !(await parts.arrive(doing, stream, expected))) return undefined;
    hasWaited = true;
  }
}

async function send(
  { js, answerMs, headers }: PublishParts,
  { subject, body, id, isInPieces, after }: Publishing,
): Promise<Attempt> {
  const given = headers();
  given.set(headerNames.id, id);
  if (isInPieces) given.set(headerNames.pieces, '1');
  const expect = after === undefined ? {} : { expect: { lastSubjectSequence: after.expected } };
  try {
    const ack = await js.publish(subject, body, { headers: given, timeout: answerMs, ...expect });
    return { type: 'written', seq: ack.seq };
  } catch (error) {
    if (natsTroubleOf(error)?.type !== 'conflict') throw error;
    return { type: 'refused', newest: Number(/sequence: (\d+)/.exec((error as Error).message)?.[1] ?? 0) };
  }
}

/** The longest that a leader may take to apply what was acknowledged before its election. */
const behindMs = 8000;
const firstPauseMs = 20;
const longestPauseMs = 500;

/** Waits until a stream's leader knows a message. False: the servers lost it. */
export async function arrivalOf(
  { manager, js, answerMs }: Pick<PublishParts, 'js' | 'answerMs'> & { readonly manager: JetStreamManager },
  stream: string,
  seq: number,
  mostMs = behindMs,
): Promise<boolean> {
  const until = performance.now() + mostMs;
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const { state, config } = await manager.streams.info(stream);
    if (state.last_seq >= seq) return true;
    // A single server has what it will ever have.
    if (config.num_replicas === 1) return false;
    if (performance.now() + pause < until) {
      await sleep(pause);
      continue;
    }
    const [subjects = ''] = config.subjects;
    // Where each subject keeps its messages, one that nobody reads does no harm.
    if (config.max_msgs_per_subject !== -1) return false;
    // A leader that confirms a write has applied all earlier ones, so time alone never decides that commits are lost.
    const { seq: confirmed } = await js.publish(subjects.replace('>', '~settled'), '', { timeout: answerMs });
    await manager.streams.deleteMessage(stream, confirmed, false).catch(() => false);
    return confirmed > seq;
  }
}
