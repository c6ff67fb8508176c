/**
 * What the store needs of JetStream: a message per write, expected sequences as compare-and-set, and reads from a
 * stream's leader.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type {
  JetStreamClient,
  JetStreamManager,
  StoredMsg,
  StreamConfig as NatsStreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

import { Fault } from '../../kernel/fault.ts';
import { optional } from '../../kernel/optional.ts';
import type { NatsPlace } from './nats-address.ts';
import { natsFault, natsTroubleOf } from './nats-fault.ts';
import { headerNames, type NatsMessage } from './nats-message.ts';
import { arrivalOf, publishMessage } from './publish-message.ts';
import { reconnectDelay } from './reconnect-delay.ts';
import { natsTls } from './nats-tls.ts';
import { walkStream } from './walk-stream.ts';

export interface NatsClient {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly shown: string;
  /** The largest body of one message. */
  readonly mostBytes: number;
  /**
   * Writes a message and returns its sequence. `expected`: the newest sequence of its subject, 0 for none; undefined
   * if another message is there. `doing` starts the message of a fault.
   */
  publish(
    doing: string,
    subject: string,
    body: string | Uint8Array,
    options?: PublishOptions,
  ): Promise<number | undefined>;
  /** The newest message of a subject, which may have wildcards. */
  last(doing: string, stream: string, subject: string): Promise<NatsMessage | undefined>;
  /** The first message of a subject at a sequence or after it. */
  next(doing: string, stream: string, subject: string, from: number): Promise<NatsMessage | undefined>;
  at(doing: string, stream: string, seq: number): Promise<NatsMessage | undefined>;
  /** All messages of a subject from a sequence on that are there now; `until`: one that was seen before. */
  walk(
    doing: string,
    stream: string,
    subject: string,
    from: number,
    until?: number,
    options?: { readonly isSure?: boolean },
  ): AsyncGenerator<NatsMessage>;
  /** Waits until the leader of a stream knows a message; false if the servers lost it. */
  arrive(doing: string, stream: string, seq: number): Promise<boolean>;
  /** The subjects with messages. */
  subjects(doing: string, stream: string, filter: string): Promise<readonly string[]>;
  lastSeq(doing: string, stream: string): Promise<number>;
  /** False if the message isn't there. */
  drop(doing: string, stream: string, seq: number): Promise<boolean>;
  /** Deletes the messages of a subject: all but the newest `keep`, or those before a sequence. */
  purge(
    doing: string,
    stream: string,
    filter: string,
    options?: { keep?: number; before?: number },
  ): Promise<void>;
  /** Creates a stream unless it is there. */
  create(doing: string, config: StreamConfig): Promise<void>;
  close(): Promise<void>;
}

export interface PublishOptions {
  readonly expected?: number;
  readonly stream?: string;
  readonly id?: string;
  /** Names the pieces of a body too long for one message, so that they can be removed; see `large-bodies.ts`. */
  readonly group?: string;
  readonly isInPieces?: boolean;
}

type StreamConfig = Partial<NatsStreamConfig> & { readonly name: string };

/** How long the servers may be away. */
export interface NatsPatience {
  readonly retryMs: number;
  readonly answerMs: number;
}

const patient: NatsPatience = { retryMs: 20_000, answerMs: 2500 };
const firstPauseMs = 20;
const longestPauseMs = 1000;
const closingMs = 1000;
/** Then another server is asked. */
const mostUnanswered = 3;
const streamExists = 10_058;

export async function connectNats(place: NatsPlace, given: Partial<NatsPatience> = {}): Promise<NatsClient> {
  const { retryMs, answerMs } = { ...patient, ...given };
  const { connect, credsAuthenticator, headers, nkeyAuthenticator } = await import('@nats-io/transport-node');
  const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
  let isClosed = false;

  /** Requests in a row without an answer from this server. */
  let unanswered = 0;
  let connectedAt = -Infinity;
  let leaveServer = () => Promise.resolve();

  /** A server that is cut off from the others, or lost this client's subscriptions, answers pings but no requests. */
  function noteSilence(problem: unknown, sentAt: number): void {
    if (!(problem instanceof Error && problem.name === 'TimeoutError') || sentAt < connectedAt) return;
    unanswered += 1;
    if (unanswered < mostUnanswered) return;
    unanswered = 0;
    void leaveServer().catch(() => undefined);
  }

  /** Repeats it while the servers are away. */
  async function patiently<Value>(doing: string, work: () => Promise<Value>, givenMs = retryMs): Promise<Value> {
    const until = performance.now() + givenMs;
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      if (isClosed) {
        throw new Fault('closed', `${doing} in ${place.shown} failed: the store was closed. Open it again.`);
      }
      const sentAt = performance.now();
      try {
        const value = await work();
        unanswered = 0;
        return value;
      } catch (error) {
        noteSilence(error, sentAt);
        const trouble = natsTroubleOf(error);
        if (isClosed) continue;
        if (trouble === undefined || trouble.type === 'conflict') throw error;
        const wait = pause * (0.5 + Math.random());
        if (trouble.type === 'final' || performance.now() + wait > until) {
          throw natsFault(trouble, doing, place.shown, error);
        }
        await sleep(wait);
      }
    }
  }

  const connection = await patiently(
    'Connecting',
    () =>
      connect({
        servers: [...place.servers],
        name: 'rondo',
        noEcho: true,
        maxReconnectAttempts: -1,
        reconnectDelayHandler: reconnectDelay(),
        // A connection over which nothing comes any more is replaced within seconds.
        pingInterval: 3000,
        maxPingOut: 2,
        timeout: answerMs,
        ...optional({ user: place.user, pass: place.password, token: place.token }),
        ...(place.creds !== undefined && { authenticator: credsAuthenticator(readFileSync(place.creds)) }),
        ...(place.nkey !== undefined && { authenticator: nkeyAuthenticator(seedIn(place.nkey)) }),
        ...(place.isEncrypted && { tls: natsTls(place) }),
      }),
    Math.min(retryMs, 5000),
  );
  leaveServer = () => connection.reconnect();
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type !== 'reconnect') continue;
      connectedAt = performance.now();
      unanswered = 0;
    }
  })();
  // A cluster that is starting answers after a while.
  const manager = await patiently('Connecting', () => jetstreamManager(connection, { timeout: answerMs }));
  const js: JetStreamClient = jetstream(connection, { timeout: answerMs });

  const messageOf = (message: StoredMsg | null): NatsMessage | undefined =>
    message === null
      ? undefined
      : {
          seq: message.seq,
          subject: message.subject,
          id: message.header.get(headerNames.id),
          body: Buffer.from(message.data),
          isInPieces: message.header.has(headerNames.pieces),
        };

  const get = (doing: string, stream: string, query: Parameters<JetStreamManager['streams']['getMessage']>[1]) =>
    patiently(doing, async () => messageOf(await manager.streams.getMessage(stream, query)));

  const next: NatsClient['next'] = (doing, stream, subject, from) =>
    // The client's types leave it out.
    get(doing, stream, { next_by_subj: subject, seq: Math.max(from, 1) } as { seq: number });

  const arrive: NatsClient['arrive'] = (doing, stream, seq) =>
    patiently(doing, () => arrivalOf({ manager, js, answerMs }, stream, seq));

  return {
    connection,
    manager,
    shown: place.shown,
    mostBytes: Math.min(524_288, (connection.info?.max_payload ?? 1_048_576) - 8192),
    publish(doing, subject, body, { expected, stream, id = randomUUID(), isInPieces = false } = {}) {
      const after = expected === undefined || stream === undefined ? {} : { after: { expected, stream } };
      return publishMessage(
        { js, answerMs, headers, patiently, next, arrive },
        { doing, subject, body, id, isInPieces, ...after },
      );
    },
    arrive,
    last: (doing, stream, subject) => get(doing, stream, { last_by_subj: subject }),
    next,
    at: (doing, stream, seq) => get(doing, stream, { seq }),
    walk: (doing, stream, subject, from, until = 0, options = {}) =>
      walkStream({ js, answerMs, patiently, next, arrive }, { doing, stream, subject, from, until, ...options }),
    subjects: (doing, stream, filter) =>
      patiently(doing, async () => {
        const info = await manager.streams.info(stream, { subjects_filter: filter });
        return Object.keys(info.state.subjects ?? {});
      }),
    lastSeq: (doing, stream) => patiently(doing, async () => (await manager.streams.info(stream)).state.last_seq),
    drop: (doing, stream, seq) =>
      patiently(doing, async () => {
        try {
          return await manager.streams.deleteMessage(stream, seq, false);
        } catch (error) {
          if (error instanceof Error && /no message found|sequence \d+ not found/.test(error.message))
            return false;
          throw error;
        }
      }),
    async purge(doing, stream, filter, { keep, before } = {}) {
      await patiently(doing, () =>
        manager.streams.purge(stream, {
          filter,
          ...(keep !== undefined ? { keep } : before !== undefined && { seq: before }),
        }),
      );
    },
    create: (doing, config) =>
      patiently(doing, async () => {
        try {
          await manager.streams.add(config);
        } catch (error) {
          // Another process created it in between.
          if (!(error instanceof Error && 'code' in error && error.code === streamExists)) throw error;
        }
      }),
    async close() {
      isClosed = true;
      // Without a server it may wait for one.
      await Promise.race([connection.close().catch(() => undefined), sleep(closingMs, undefined, { ref: false })]);
    },
  };
}

function seedIn(file: string): Uint8Array {
  return Buffer.from(readFileSync(file, 'utf8').trim());
}
