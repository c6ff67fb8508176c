/**
 * Rondo from a browser or a program: one WebSocket that mends itself.
 *
 *     const client = createClient({ url: 'http://127.0.0.1:4747', token });
 *     const { session } = await client.create({ agent: 'assistant' });
 *     client.follow(session, { update: render });
 *     await client.send(session, { type: 'chat', text: 'What changed since yesterday?' });
 *
 * 1. A connection that breaks is made again, later each time; every followed session goes on from its sequence.
 * 2. What was sent and not acknowledged is sent again under the same key: it counts once.
 * 3. A socket that looks open and answers nothing is noticed and replaced.
 * 4. How the connection is and how current the data are is told apart.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { ClientMessage } from '../protocol/client-message.ts';
import type { WireAnswer, WireCreate, WireInput } from '../protocol/input-schema.ts';
import type { DirectoryMessage, ErrorMessage, ServerMessage, Welcome } from '../protocol/server-message.ts';
import { backoffMs } from './backoff.ts';
import type { ConnectionState } from './connection-state.ts';
import { createFollowedSession, type FollowedSession, type FollowListener } from './followed-session.ts';
import { createRequests, requestError, type Request, type RequestAnswer } from './requests.ts';

export type { ConnectionState, DataState } from './connection-state.ts';
export type { FollowListener, SessionUpdate } from './followed-session.ts';
export type { RequestError } from './requests.ts';

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:4747`. In a page: that page's own origin. */
  readonly url: string;
  /** Not wanted where the browser has the cookie. */
  readonly token?: string;
  /** What this client calls itself. */
  readonly name?: string;
  readonly onConnection?: (state: ConnectionState) => void;
  /** After this long without a word the server is asked whether it is there. */
  readonly quietMs?: number;
  /** How long it may take to answer that, or to answer a connection. */
  readonly patienceMs?: number;
  readonly firstRetryMs?: number;
  readonly mostRetryMs?: number;
  readonly random?: () => number;
  readonly WebSocket?: typeof globalThis.WebSocket;
}

export interface Client extends Disposable {
  readonly connection: ConnectionState;
  readonly welcome: Welcome | undefined;
  create(session?: WireCreate, options?: KeyOption): Promise<{ readonly session: SessionId }>;
  /** Answered once the input is durable. Rejects with a `RequestError` where it is turned down. */
  send(session: string, input: WireInput, options?: KeyOption): Promise<{ readonly seq: number }>;
  answer(question: string, answer: WireAnswer, options?: KeyOption): Promise<{ readonly seq: number }>;
  /** Ends the session for good. */
  stop(session: string, reason?: string): Promise<void>;
  /** From a sequence, or from a snapshot at the head. One listener a session; a second one replaces the first. */
  follow(session: string, listener: FollowListener, options?: { readonly after?: number }): Following;
  /** A page of the directory, again after each reconnection, and what changes. */
  followDirectory(listener: (message: DirectoryMessage) => void): void;
  close(): void;
}

export interface KeyOption {
  /** Under the same key an input counts once, whoever sends it. */
  readonly key?: string;
}

export interface Following {
  readonly seq: number | undefined;
  readonly state: FollowedSession['state'];
  stop(): void;
}

export function createClient(options: ClientOptions): Client {
  const { quietMs = 20_000, patienceMs = 10_000, firstRetryMs = 250, mostRetryMs = 15_000 } = options;
  const { random = Math.random, WebSocket: Socket = globalThis.WebSocket } = options;
  const url = `${options.url.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws`;
  const requests = createRequests();
  const followed = new Map<string, FollowedSession>();
  let directory: ((message: DirectoryMessage) => void) | undefined;
  let connection: ConnectionState = { type: 'connecting', attempt: 1 };
  let welcome: Welcome | undefined;
  let socket: WebSocket | undefined;
  let attempt = 0;
  let counter = 0;
  let watch: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function become(next: ConnectionState): void {
    connection = next;
    options.onConnection?.(next);
  }

  function post(message: ClientMessage): void {
    if (connection.type === 'open') socket?.send(JSON.stringify(message));
  }

  function open(): void {
    attempt += 1;
    become({ type: 'connecting', attempt });
    const made = new Socket(url);
    socket = made;
    expectWord(patienceMs, 'the server did not answer');
    const isOurs = () => socket === made;
    made.addEventListener('open', () => {
      if (!isOurs()) return;
      const { token, name } = options;
      made.send(
        JSON.stringify({
          v: 1,
          type: 'hello',
          ...(token !== undefined && { token }),
          ...(name !== undefined && { client: name }),
        } satisfies ClientMessage),
      );
    });
    made.addEventListener('message', ({ data }: { data: unknown }) => {
      if (isOurs()) take(JSON.parse(String(data)) as ServerMessage);
    });
    made.addEventListener('close', ({ reason }: { reason: string }) => {
      if (isOurs()) broke(reason === '' ? 'the connection was lost' : reason);
    });
    // `close` follows and says it all.
    made.addEventListener('error', () => undefined);
  }

  /** Something must be heard by then; a server that is only quiet is asked first. */
  function expectWord(within: number, why: string): void {
    clearTimeout(watch);
    watch = setTimeout(() => {
      if (connection.type === 'open' && why === '') {
        post({ v: 1, type: 'ping' });
        expectWord(patienceMs, 'the server went silent');
      } else broke(why);
    }, within);
  }

  function broke(why: string): void {
    clearTimeout(watch);
    const gone = socket;
    socket = undefined;
    gone?.close();
    if (connection.type === 'closed') return;
    for (const session of followed.values()) session.cutOff();
    const wait = backoffMs(Math.max(1, attempt), { firstMs: firstRetryMs, mostMs: mostRetryMs, random });
    become({ type: 'waiting', attempt, until: Date.now() + wait, why });
    retry = setTimeout(open, wait);
  }

  function closeForGood(why: string, code?: string): void {
    if (connection.type === 'closed') return;
    clearTimeout(watch);
    clearTimeout(retry);
    become({ type: 'closed', why, ...(code !== undefined && { code }) });
    const gone = socket;
    socket = undefined;
    gone?.close();
    for (const session of followed.values()) session.cutOff();
    requests.giveUp(requestError(code ?? 'CLOSED', why));
  }

  function greeted(message: Welcome): void {
    welcome = message;
    attempt = 0;
    become({ type: 'open' });
    for (const session of followed.values()) ask(session);
    if (directory !== undefined) post({ v: 1, type: 'directory.follow' });
    for (const request of requests.open()) post(request);
  }

  function ask(session: FollowedSession): void {
    session.asked();
    const { id, seq } = session;
    post({
      v: 1,
      type: 'session.follow',
      id: `follow ${id}`,
      session: id,
      ...(seq !== undefined && { after: seq }),
    });
  }

  function take(message: ServerMessage): void {
    expectWord(quietMs, '');
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
        return followed.get(message.session)?.take(message);
      case 'directory':
        return directory?.(message);
      case 'pong':
        return;
    }
  }

  function failed(error: ErrorMessage): void {
    const { id = '', code, message } = error;
    const isForGood = code === 'VERSION_MISMATCH' || code === 'UNAUTHORIZED';
    if (isForGood) return closeForGood(message, code);
    if (id.startsWith('follow ')) {
      const session = followed.get(id.slice('follow '.length));
      followed.delete(id.slice('follow '.length));
      return session?.problem({ code, message });
    }
    const again = requests.failed(error);
    if (again !== undefined) setTimeout(() => post(again), firstRetryMs * (1 + random()));
  }

  async function request<Kind extends Request['type']>(
    message: Omit<Extract<Request, { type: Kind }>, 'v' | 'id'> & { readonly type: Kind },
  ): Promise<RequestAnswer> {
    if (connection.type === 'closed') throw requestError(connection.code ?? 'CLOSED', connection.why);
    counter += 1;
    const whole = { v: 1, id: `r${counter}`, ...message } as Request;
    const answer = requests.add(whole);
    post(whole);
    return answer;
  }
  const newKey = () => globalThis.crypto.randomUUID();

  open();
  return {
    get connection() {
      return connection;
    },
    get welcome() {
      return welcome;
    },
    async create(session = {}, { key = newKey() } = {}) {
      const made = await request<'session.create'>({ type: 'session.create', key, session });
      return { session: made.session as SessionId };
    },
    async send(session, input, { key = newKey() } = {}) {
      const { seq = 0 } = await request<'session.input'>({ type: 'session.input', session, key, input });
      return { seq };
    },
    async answer(question, answer, { key = newKey() } = {}) {
      const { seq = 0 } = await request<'question.answer'>({
        type: 'question.answer',
        question,
        key,
        answer,
      });
      return { seq };
    },
    async stop(session, reason) {
      await request<'session.stop'>({ type: 'session.stop', session, ...(reason !== undefined && { reason }) });
    },
    follow(id, listener, { after } = {}) {
      const session = createFollowedSession(id as SessionId, after, listener);
      followed.set(id, session);
      if (connection.type === 'open') ask(session);
      return {
        get seq() {
          return session.seq;
        },
        get state() {
          return session.state;
        },
        stop() {
          if (followed.get(id) !== session) return;
          followed.delete(id);
          post({ v: 1, type: 'session.unfollow', session: id });
        },
      };
    },
    followDirectory(listener) {
      directory = listener;
      post({ v: 1, type: 'directory.follow' });
    },
    close: () => closeForGood('closed by this program'),
    [Symbol.dispose]: () => closeForGood('closed by this program'),
  };
}
