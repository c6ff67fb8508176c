/**
 * One WebSocket client.
 *
 * 1. The first message is `hello`, within ten seconds. An unreadable message gets an error and the connection stays
 *    open. A wrong version or missing rights close it.
 * 2. Messages about one session are handled in order. Sessions don't wait for each other.
 * 3. A slow reader gets a gap and a snapshot. Other clients are unaffected.
 * 4. Closing the connection ends its subscriptions. It cancels no work.
 */
import { isUtf8 } from 'node:buffer';
import type { Duplex } from 'node:stream';

import type { WebSocket } from 'ws';

import type { SessionId } from '../kernel/ids.ts';
import { readClientMessage, type ClientMessage } from '../protocol/client-message.ts';
import { isRecoverable, type ClientError } from '../protocol/error-code.ts';
import type { ServerMessage } from '../protocol/server-message.ts';
import { messageText } from '../protocol/update-text.ts';
import { createAnswers } from './answer-message.ts';
import type { Backend, ServerClock, ServerLogger } from './backend.ts';
import type { SocketLimits } from './socket-limits.ts';
import type { DirectoryFeed } from './directory-feed.ts';
import { createFollowing } from './following.ts';
import { textFrame } from './frame.ts';
import { peerOf, type Gate, type Identified } from './gate.ts';
import type { Identity, Peer } from './identity.ts';
import { createLanes } from './lanes.ts';
import type { Metrics } from './metrics.ts';
import type { Operations } from './operations.ts';
import { errorOfFault, isStoreAway } from './outcome.ts';
import { isAssertion } from './nodes/assertion.ts';
import type { ServerNode } from './nodes/node.ts';
import type { QuestionFeed } from './question-feed.ts';
import { createSocketWriter } from './socket-writer.ts';
import { createTokenBucket } from './token-bucket.ts';

interface ConnectionParts {
  readonly backend: Backend;
  readonly operations: Operations;
  readonly gate: Gate;
  readonly directory: DirectoryFeed;
  readonly questions: QuestionFeed;
  readonly metrics: Metrics;
  readonly clock: ServerClock;
  readonly logger: ServerLogger;
  readonly limits: SocketLimits;
  readonly node: ServerNode | undefined;
  readonly server: { readonly name: string; readonly version: string; readonly instance: string };
}

interface ConnectionOrigin {
  readonly ws: WebSocket;
  readonly socket: Duplex;
  readonly address: string;
  /** Set if the upgrade request carried a token. */
  readonly identified: Identified | undefined;
}

type Message<Type extends ClientMessage['type']> = Extract<ClientMessage, { type: Type }>;

export function serveConnection(
  { ws, socket, address, identified }: ConnectionOrigin,
  parts: ConnectionParts,
): void {
  const { operations, gate, metrics, clock, limits } = parts;
  const writer = createSocketWriter(socket);
  const lanes = createLanes();
  const bucket = createTokenBucket(limits.messagesPerSecond, () => clock.ticks());
  let who: (Identity & { readonly secret: string }) | undefined;
  let isGreeted = false;
  let refusals = 0;
  let heardAt = clock.ticks();
  let disarmPing = clock.at(clock.now() + limits.pingMs, ping);
  const disarmHello = clock.at(clock.now() + limits.helloMs, () => {
    if (!isGreeted)
      end({
        code: 'UNAUTHORIZED',
        message: `No \`hello\` within ${limits.helloMs / 1000} s. Reconnect and send it first.`,
      });
  });
  metrics.connections += 1;

  const send = (message: ServerMessage) => writer.write(textFrame(messageText(message)));

  function tellError(
    error: ClientError,
    about: { readonly id?: string; readonly session?: SessionId } = {},
  ): void {
    send({ v: 1, type: 'error', ...about, ...error, recoverable: isRecoverable(error.code) });
  }

  const following = createFollowing({ ...parts, socket, writer, send, tellError });
  const answer = createAnswers({ operations, following, send, refuse });

  function end(error: ClientError, about: { readonly id?: string } = {}): void {
    tellError(error, about);
    if (error.code === 'FORBIDDEN' || error.code === 'UNAUTHORIZED') metrics.refused += 1;
    // Pending frames are written in this turn of the event loop, so the close frame follows them.
    process.nextTick(() => ws.close(1008, error.code));
  }

  /** Sends an error and closes the connection if the error is fatal. */
  function refuse(error: ClientError, id: string | undefined): void {
    const about = id === undefined ? {} : { id };
    if (isRecoverable(error.code)) tellError(error, about);
    else end(error, about);
  }

  function ping(): void {
    if (clock.ticks() - heardAt >= limits.silenceMs) return ws.terminate();
    ws.ping();
    disarmPing = clock.at(clock.now() + limits.pingMs, ping);
    if (who === undefined) return;
    // While the store can't be reached nobody can be asked: the next ping looks again.
    stillKnown(who).catch((error: unknown) =>
      parts.logger.log('warn', "can't check the token of a connection", { error: String(error) }),
    );
  }

  /** A token may be revoked while its connection is open. */
  async function stillKnown(caller: { readonly secret: string; readonly token: string }): Promise<void> {
    const outcome = isAssertion(caller.secret)
      ? await callerAgain(caller.token)
      : await gate.identifyAgain(caller, address);
    if (outcome?.type === 'error') end(outcome.error);
  }

  /** Another node asks for one of its clients. */
  async function callerBy(assertion: string): Promise<Identified> {
    const accepted = (await parts.node?.accept(assertion)) ?? { refused: "This server isn't a node." };
    if ('refused' in accepted) {
      const message = `Refused the statement of another node. ${accepted.refused}`;
      parts.logger.log('warn', 'refused another node', { why: accepted.refused, address });
      return { type: 'error', error: { code: 'UNAUTHORIZED', message } };
    }
    const { from, session, person, role } = accepted;
    return { type: 'known', who: { role, actor: person, token: from, only: session }, secret: assertion };
  }

  async function callerAgain(owner: string): Promise<Identified | undefined> {
    if ((await parts.node?.isAlive(owner)) === true) return undefined;
    return { type: 'error', error: { code: 'UNAUTHORIZED', message: 'The node that asked is gone.' } };
  }

  async function greet({ token, id }: Message<'hello'>): Promise<void> {
    if (isGreeted)
      return tellError(
        {
          code: 'INVALID_MESSAGE',
          message: '`hello` already received on this connection; send the message itself.',
        },
        about(id),
      );
    isGreeted = true;
    const outcome = token === undefined ? identified : await identifyBy(token);
    if (outcome === undefined)
      return end(
        {
          code: 'UNAUTHORIZED',
          message: 'Authentication required: send a token with hello. `rondo token create` issues one.',
        },
        about(id),
      );
    if (outcome.type === 'error') return end(outcome.error, about(id));
    who = { ...outcome.who, peer: peerOf(socket as Peer), secret: outcome.secret };
    const { messageBytes, messagesPerSecond, pingMs, silenceMs } = limits;
    send({
      v: 1,
      type: 'welcome',
      server: parts.server,
      limits: { messageBytes, messagesPerSecond, pingMs, silenceMs },
      role: who.role,
      actor: who.actor.name,
    });
    if (id !== undefined) send({ v: 1, type: 'ok', id });
  }

  const identifyBy = (token: string) => (isAssertion(token) ? callerBy(token) : gate.identifyBy(token, address));

  function take(data: Buffer, isBinary: boolean): void {
    heardAt = clock.ticks();
    const invalid = (message: string) => tellError({ code: 'INVALID_MESSAGE', message });
    const isTooMany = !bucket.take();
    if (data.length > limits.messageBytes) {
      return tellError({
        code: 'MESSAGE_TOO_LARGE',
        message: `A message can have up to ${limits.messageBytes} bytes, this one has ${data.length}. Send large content over HTTP.`,
      });
    }
    if (isBinary) return invalid('Messages must be text, not binary.');
    if (!isUtf8(data)) return invalid("The message isn't UTF-8.");
    const read = readClientMessage(data.toString('utf8'));
    const id = read.type === 'error' ? read.id : read.message.id;
    if (isTooMany) return tooMany(id);
    if (read.type === 'error') return refuse(read.error, id);
    const { message } = read;
    if (message.type === 'hello') return work('hello', () => greet(message), id);
    // Wait for `hello`: authentication may still be in progress.
    const lane = laneOf(message);
    void lanes.after('hello', () => {
      if (who === undefined)
        return end(
          { code: 'UNAUTHORIZED', message: 'The first message must be `hello`. Reconnect and send it first.' },
          about(id),
        );
      const by = who;
      if (message.type === 'ping') return send({ v: 1, type: 'pong', ...about(id) });
      return work(lane, () => answer(message, by), id);
    });
  }

  function tooMany(id: string | undefined): void {
    metrics.rateLimited += 1;
    refusals += 1;
    tellError(
      {
        code: 'RATE_LIMITED',
        message: `Limit: ${limits.messagesPerSecond} messages per second. This message was dropped; send it again later.`,
      },
      about(id),
    );
    if (refusals > limits.refusals) process.nextTick(() => ws.close(1008, 'RATE_LIMITED'));
  }

  function work(lane: string, task: () => Promise<void>, id: string | undefined): void {
    void lanes.run(lane, async () => {
      try {
        await task();
      } catch (error) {
        const wireError = errorOfFault(error);
        const isAway = isStoreAway(error);
        if (wireError.code === 'INTERNAL' || isAway)
          parts.logger.log('error', 'a message failed', { error: String(error) });
        tellError(wireError, about(id));
        // The client repeats it at another node, or here once it connects again.
        if (isAway) setImmediate(() => socket.destroy());
      }
    });
  }

  ws.on('message', (data, isBinary) => take(bufferOf(data), isBinary));
  ws.on('pong', () => (heardAt = clock.ticks()));
  ws.on('ping', () => (heardAt = clock.ticks()));
  // The close frame carries the reason.
  ws.on('error', () => undefined);
  ws.on('close', () => {
    metrics.connections -= 1;
    disarmPing();
    disarmHello();
    following.end();
  });
}

function about(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id };
}

function laneOf(message: ClientMessage): string {
  if ('question' in message) return 'questions';
  if ('session' in message && typeof message.session === 'string') return message.session;
  return message.type;
}

function bufferOf(data: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
