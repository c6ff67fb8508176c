/**
 * Rondo for browsers and programs: one WebSocket that reconnects.
 *
 *     const client = createClient({ url: 'http://127.0.0.1:4747', token });
 *     const { session } = await client.create({ agent: 'assistant' });
 *     client.follow(session, { update: render });
 *     await client.send(session, { type: 'chat', text: 'What changed since yesterday?' });
 *
 * 1. It reconnects with exponential backoff and resumes every followed session from its sequence.
 * 2. It sends unacknowledged requests again with the same key, so they count once.
 * 3. It detects and replaces a socket that looks open but doesn't answer.
 * 4. It reports the connection's state and the freshness of data separately.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { RondoClient } from '../ports/rondo-client.ts';
import type { KeyOption, SessionClient } from '../ports/session-client.ts';
import type { ClientMessage } from '../protocol/client-message.ts';
import type { WireAnswer, WireCreate, WireInput } from '../protocol/input-schema.ts';
import type {
  DirectoryMessage,
  ErrorMessage,
  ServerMessage,
  Welcome,
  WireQuestion,
} from '../protocol/server-message.ts';
import { createBaseUrls } from './base-urls.ts';
import type { ConnectionState, DataState } from './connection-state.ts';
import { createFollowedSession, type FollowedSession, type FollowListener } from './followed-session.ts';
import { createFollowedQuestions } from './followed-questions.ts';
import { createHttpCalls, type HttpFetch } from './http-calls.ts';
import { fetchFrom } from './fetch-from.ts';
import { createReconnectingSocket } from './reconnecting-socket.ts';
import { createRemoteRondo } from './remote-rondo.ts';
import { createRemoteSession } from './remote-session.ts';
import {
  createPendingRequests,
  passes,
  requestError,
  type ClientRequest,
  type RequestAnswer,
} from './requests.ts';

export type { SessionId } from '../kernel/ids.ts';
export type { WireAnswer, WireCreate, WireInput } from '../protocol/input-schema.ts';
export type {
  DirectoryMessage,
  Welcome,
  WireEvent,
  WireProgress,
  WireQuestion,
  WireView,
} from '../protocol/server-message.ts';
import { optional } from '../kernel/optional.ts';
export type { RondoClient } from '../ports/rondo-client.ts';
export type { KeyOption, SessionClient } from '../ports/session-client.ts';
export type { ConnectionState, DataState } from './connection-state.ts';
export type { FollowListener, SessionUpdate } from './followed-session.ts';
export type { RequestError } from './requests.ts';

/** The server's address, the token and timeouts. */
export interface ClientOptions {
  /**
   * The server's address, such as `http://127.0.0.1:4747`. In a page: the page's origin. Several addresses are nodes
   * of one store: the client moves on to the next one when a node doesn't answer.
   */
  readonly url: string | readonly string[];
  /** A function is called for every connection, because a browser's bearer token lasts ten minutes. */
  readonly token?: string | (() => Promise<string | undefined>);
  /** A name for this client. */
  readonly name?: string;
  readonly onConnection?: (state: ConnectionState) => void;
  /** Ping the server after this much silence. */
  readonly quietMs?: number;
  /** Timeout for a pong or for a new connection. */
  readonly patienceMs?: number;
  readonly firstRetryMs?: number;
  readonly mostRetryMs?: number;
  readonly random?: () => number;
  readonly WebSocket?: typeof globalThis.WebSocket;
  /** Makes HTTP requests below `/api/v1`. Default: `fetch` with the token. */
  readonly fetch?: HttpFetch;
}

/** The key of a request, and how long to wait for its answer. */
export interface RequestOptions extends KeyOption {
  /**
   * Stops waiting, for example `AbortSignal.timeout(10_000)`. The server may have received the request: sending it
   * again with the same key is safe.
   */
  readonly signal?: AbortSignal;
}

/**
 * A reconnecting connection and the sessions it follows. A request waits for a server as long as it takes, unless its
 * signal aborts; `onConnection` reports each failed attempt.
 */
export interface Client extends Disposable {
  readonly connection: ConnectionState;
  readonly welcome: Welcome | undefined;
  create(session?: WireCreate, options?: RequestOptions): Promise<{ readonly session: SessionId }>;
  /** Resolves once the input is durable. Rejects with a `RequestError` if the server refuses it. */
  send(session: string, input: WireInput, options?: RequestOptions): Promise<{ readonly seq: number }>;
  answer(question: string, answer: WireAnswer, options?: RequestOptions): Promise<{ readonly seq: number }>;
  /** Terminates the session. */
  stop(session: string, reason?: string): Promise<void>;
  /** From a sequence, or from a snapshot at the head. A session may have several listeners. */
  follow(session: string, listener: FollowListener, options?: { readonly after?: number }): Following;
  /** A page of the directory and its changes, sent again after each reconnect. */
  followDirectory(listener: (message: DirectoryMessage) => void): void;
  /** All open questions, oldest first: now, after each change, and again after each reconnection. */
  followQuestions(listener: (questions: readonly WireQuestion[]) => void): void;
  /** One session, with everything that a handle in its own process offers. */
  session(id: string): SessionClient;
  /** Access beyond one session: sessions, agents, models, tools, workers and jobs. */
  readonly rondo: RondoClient;
  /** Tries to reconnect at once instead of after the pause. */
  reconnect(): void;
  close(): void;
}

/** A followed session: its position, and how to stop. */
export interface Following {
  readonly seq: number | undefined;
  readonly state: DataState;
  stop(): void;
}

/** Connects at once and reconnects until `close`. */
export function createClient(options: ClientOptions): Client {
  const { firstRetryMs = 250, random = Math.random, token, name } = options;
  const urls = createBaseUrls(options.url);
  const requests = createPendingRequests();
  const followed = new Map<string, ReadonlySet<FollowedSession>>();
  let directory: ((message: DirectoryMessage) => void) | undefined;
  const inbox = createFollowedQuestions();
  let welcome: Welcome | undefined;
  let counter = 0;

  const socket = createReconnectingSocket(
    {
      urls,
      quietMs: options.quietMs ?? 20_000,
      patienceMs: options.patienceMs ?? 10_000,
      firstRetryMs,
      mostRetryMs: options.mostRetryMs ?? 15_000,
      random,
      Socket: options.WebSocket ?? globalThis.WebSocket,
    },
    {
      hello: async () => {
        const given = typeof token === 'function' ? await token() : token;
        return {
          v: 1,
          type: 'hello',
          ...optional({ token: given, client: name }),
        };
      },
      onMessage: take,
      onState: (state) => options.onConnection?.(state),
      onCut() {
        for (const listeners of followed.values()) for (const one of listeners) one.cutOff();
      },
    },
  );
  const post = (message: ClientMessage) => socket.post(message);

  function closeForGood(why: string, code?: string): void {
    if (socket.state.type === 'closed') return;
    socket.closeForGood(why, code);
    requests.giveUp(requestError(code ?? 'CLOSED', why));
  }

  function greeted(message: Welcome): void {
    welcome = message;
    socket.welcomed();
    for (const id of followed.keys()) ask(id);
    if (directory !== undefined) post({ v: 1, type: 'directory.follow' });
    if (inbox.isFollowed) post({ v: 1, type: 'questions.follow' });
    for (const request of requests.open()) post(request);
  }

  /** From where the listener that is furthest behind is; the others drop what they have. */
  function ask(id: string): void {
    const listeners = [...(followed.get(id) ?? [])];
    for (const one of listeners) one.asked();
    const places = listeners.map(({ seq }) => seq);
    const after = places.every((seq) => seq !== undefined) ? Math.min(...places) : undefined;
    post({
      v: 1,
      type: 'session.follow',
      id: `follow ${id}`,
      session: id,
      ...optional({ after }),
    });
  }

  function forget(id: string, listener: FollowedSession): void {
    const left = new Set([...(followed.get(id) ?? [])].filter((one) => one !== listener));
    if (left.size > 0) followed.set(id, left);
    else if (followed.delete(id)) post({ v: 1, type: 'session.unfollow', session: id });
  }

  function take(message: ServerMessage): void {
    switch (message.type) {
      case 'welcome':
        return greeted(message);
      case 'ok':
        return requests.answered(message);
      case 'error':
        return failed(message);
      case 'snapshot':
      case 'event':
      case 'progress':
      case 'gap':
        for (const one of followed.get(message.session) ?? []) one.take(message);
        return;
      case 'directory':
        return directory?.(message);
      case 'questions':
        return inbox.take(message);
      case 'pong':
        return;
    }
  }

  function failed(error: ErrorMessage): void {
    const { id = '', code, message } = error;
    const isForGood = code === 'VERSION_MISMATCH' || code === 'UNAUTHORIZED';
    if (isForGood) return closeForGood(message, code);
    const retryMs = firstRetryMs * (1 + random());
    if (id.startsWith('follow ')) {
      const session = id.slice('follow '.length);
      const listeners = followed.get(session) ?? [];
      if (passes(code)) return void setTimeout(() => followed.has(session) && ask(session), retryMs);
      followed.delete(session);
      for (const one of listeners) one.problem({ code, message });
      return;
    }
    const again = requests.failed(error);
    if (again !== undefined) setTimeout(() => post(again), retryMs);
  }

  async function request<Kind extends ClientRequest['type']>(
    message: Omit<Extract<ClientRequest, { type: Kind }>, 'v' | 'id'> & { readonly type: Kind },
    signal?: AbortSignal,
  ): Promise<RequestAnswer> {
    signal?.throwIfAborted();
    const { state } = socket;
    if (state.type === 'closed') throw requestError(state.code ?? 'CLOSED', state.why);
    counter += 1;
    const whole = { v: 1, id: `r${counter}`, ...message } as ClientRequest;
    const answer = requests.add(whole, signal);
    post(whole);
    return answer;
  }
  // Not a UUID: a page over plain HTTP from another machine can't create one.
  const newKey = () => Array.from(globalThis.crypto.getRandomValues(new Uint32Array(4)), String).join('-');

  const calls = createHttpCalls(() => urls.current, options.fetch ?? fetchWithToken);

  async function fetchWithToken(path: string, init: RequestInit = {}): Promise<Response> {
    const given = typeof token === 'function' ? await token() : token;
    const headers = {
      ...(init.headers as Record<string, string>),
      ...(given !== undefined && { authorization: `Bearer ${given}` }),
    };
    return fetchFrom(urls, `/api/v1${path}`, { ...init, headers });
  }

  const client: Client = {
    get connection() {
      return socket.state;
    },
    get welcome() {
      return welcome;
    },
    async create(session = {}, { key = newKey(), signal } = {}) {
      const made = await request<'session.create'>({ type: 'session.create', key, session }, signal);
      return { session: made.session as SessionId };
    },
    async send(session, input, { key = newKey(), signal } = {}) {
      const message = { type: 'session.input', session, key, input } as const;
      const { seq = 0 } = await request<'session.input'>(message, signal);
      return { seq };
    },
    async answer(question, answer, { key = newKey(), signal } = {}) {
      const message = { type: 'question.answer', question, key, answer } as const;
      const { seq = 0 } = await request<'question.answer'>(message, signal);
      return { seq };
    },
    async stop(session, reason) {
      await request<'session.stop'>({ type: 'session.stop', session, ...optional({ reason }) });
    },
    follow(id, listener, { after } = {}) {
      const session = createFollowedSession(id as SessionId, after, listener);
      followed.set(id, new Set([...(followed.get(id) ?? []), session]));
      if (socket.state.type === 'open') ask(id);
      return {
        get seq() {
          return session.seq;
        },
        get state() {
          return session.state;
        },
        stop: () => forget(id, session),
      };
    },
    followDirectory(listener) {
      directory = listener;
      post({ v: 1, type: 'directory.follow' });
    },
    followQuestions(listener) {
      inbox.follow(listener);
      post({ v: 1, type: 'questions.follow' });
    },
    session: (id) => createRemoteSession(id as SessionId, client, calls),
    get rondo() {
      return createRemoteRondo({ url: urls.current, calls, create: client.create, session: client.session });
    },
    reconnect: () => socket.retryNow(),
    close: () => closeForGood('closed by this program'),
    [Symbol.dispose]: () => closeForGood('closed by this program'),
  };
  return client;
}
