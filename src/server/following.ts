/** Subscriptions of one WebSocket client: sessions, each at its own pace, and the directory. */
import type { Duplex } from 'node:stream';

import type { DirectoryEntry } from '../views/directory.ts';
import { Fault, type FaultCode } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { ClientMessage } from '../protocol/client-message.ts';
import { errorOfEnding, type ClientError } from '../protocol/error-code.ts';
import type { ServerMessage } from '../protocol/server-message.ts';
import type { FollowSink } from '../session/follow/follow-into.ts';
import type { Session } from '../session/handle/session.ts';
import type { Backend } from './backend.ts';
import type { DirectoryFeed } from './directory-feed.ts';
import { directoryFrame, updateFrame } from './frame.ts';
import type { Identity } from './identity.ts';
import type { QuestionChange, QuestionFeed } from './question-feed.ts';
import type { Metrics } from './metrics.ts';
import { errorOfFault } from './outcome.ts';
import type { SocketLimits } from './socket-limits.ts';
import type { SocketWriter } from './socket-writer.ts';
import { untilDrained } from './sse.ts';

export interface SocketFollows {
  /** Following a session again restarts the subscription at the new position. */
  follow(session: Session, message: Extract<ClientMessage, { type: 'session.follow' }>, by: Identity): void;
  unfollow(session: string): void;
  followDirectory(message: Extract<ClientMessage, { type: 'directory.follow' }>): Promise<void>;
  followQuestions(message: Extract<ClientMessage, { type: 'questions.follow' }>): Promise<void>;
  /** Undefined if it failed for now: the client connects again, perhaps to another node, and follows from where it is. */
  orReconnect<Value>(work: Promise<Value>): Promise<Value | undefined>;
  end(): void;
}

interface FollowingParts {
  readonly backend: Backend;
  readonly directory: DirectoryFeed;
  readonly questions: QuestionFeed;
  readonly metrics: Metrics;
  readonly limits: SocketLimits;
  readonly socket: Duplex;
  readonly writer: SocketWriter;
  readonly send: (message: ServerMessage) => void;
  readonly tellError: (error: ClientError, about?: { readonly id?: string; readonly session?: SessionId }) => void;
}

/** True if following may succeed again later: the session and its journal are fine. */
function passes(error: unknown): boolean {
  return !(error instanceof Fault) || !lastingFaults.has(error.code);
}

const lastingFaults: ReadonlySet<FaultCode> = new Set([
  'conflict',
  'damaged',
  'misdirected',
  'not-found',
  'read-only',
  'unreadable',
]);

export function createFollowing(parts: FollowingParts): SocketFollows {
  const { metrics, limits, socket, writer, send, tellError } = parts;
  const followed = new Map<string, AbortController>();
  let leaveDirectory: (() => void) | undefined;
  let leaveQuestions: (() => void) | undefined;
  let isEnded = false;

  function failed(error: unknown, session?: SessionId): void {
    // Without the id of its message: that would end the follow at the client, too.
    tellError(errorOfFault(error), optional({ session }));
    if (passes(error)) setImmediate(() => socket.destroy());
  }

  function sinkFor(session: SessionId): FollowSink {
    return {
      tell(update) {
        writer.write(updateFrame(session, update));
        if (update.type === 'gap') metrics.gaps += 1;
        else if (update.type === 'event' && update.recorded.event.type === 'turn-ended') {
          const error = errorOfEnding(update.recorded.event.ending);
          if (error !== undefined) tellError(error, { session });
        }
      },
      get isBehind() {
        return writer.buffered > limits.bufferedBytes;
      },
      ready: () => untilDrained(socket, limits.bufferedBytes / 2),
      hears: 'by-turns',
    };
  }

  return {
    follow(session, { id, after }, { actor: person, role, only }) {
      // The client may have disconnected during the lookup.
      if (isEnded) return;
      const about = id === undefined ? {} : { id };
      followed.get(session.id)?.abort();
      if (followed.size >= limits.follows && !followed.has(session.id)) {
        const message = `A connection can follow up to ${limits.follows} sessions.`;
        return tellError({ code: 'LIMIT_REACHED', message }, about);
      }
      const controller = new AbortController();
      followed.set(session.id, controller);
      if (id !== undefined) send({ v: 1, type: 'ok', id, session: session.id });
      metrics.followers += 1;
      session
        .followInto(sinkFor(session.id), {
          signal: controller.signal,
          for: { person, role },
          reach: only === undefined ? 'anywhere' : 'here',
          ...optional({ after }),
        })
        .catch((error: unknown) => failed(error, session.id))
        .finally(() => (metrics.followers -= 1));
    },
    unfollow(session) {
      followed.get(session)?.abort();
      followed.delete(session);
    },
    async followDirectory({ id }) {
      leaveDirectory?.();
      if (isEnded) return;
      // Subscribe before reading the page, but notify after it: nothing is missed and nothing older arrives later.
      let isShown = false;
      const early: (readonly DirectoryEntry[])[] = [];
      const tell = (entries: readonly DirectoryEntry[]) => writer.write(directoryFrame(entries));
      leaveDirectory = parts.directory.subscribe((entries) =>
        isShown ? tell(entries) : void early.push(entries),
      );
      const { entries } = await parts.backend.sessions.list({ limit: limits.directoryPage });
      if (id !== undefined) send({ v: 1, type: 'ok', id });
      send({ v: 1, type: 'directory', kind: 'page', entries });
      isShown = true;
      for (const later of early) tell(later);
    },
    async followQuestions({ id }) {
      leaveQuestions?.();
      if (isEnded) return;
      let isShown = false;
      const early: QuestionChange[] = [];
      const tell = (change: QuestionChange) => send({ v: 1, type: 'questions', kind: 'changed', ...change });
      leaveQuestions = parts.questions.subscribe((change) => (isShown ? tell(change) : void early.push(change)));
      const questions = await parts.questions.all();
      if (id !== undefined) send({ v: 1, type: 'ok', id });
      send({ v: 1, type: 'questions', kind: 'page', questions });
      isShown = true;
      for (const later of early) tell(later);
    },
    async orReconnect(work) {
      try {
        return await work;
      } catch (error) {
        if (!passes(error)) throw error;
        failed(error);
        return undefined;
      }
    },
    end() {
      isEnded = true;
      leaveDirectory?.();
      leaveQuestions?.();
      for (const controller of followed.values()) controller.abort();
      followed.clear();
    },
  };
}
