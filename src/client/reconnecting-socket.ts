/**
 * A sequence of WebSockets to one server or one fleet: reconnects with backoff, to the next node if there are
 * several, and replaces a socket that looks open but doesn't answer.
 */
import { optional } from '../kernel/optional.ts';
import type { ClientMessage } from '../protocol/client-message.ts';
import type { ServerMessage } from '../protocol/server-message.ts';
import { backoffMs } from './backoff.ts';
import type { BaseUrls } from './base-urls.ts';
import type { ConnectionState } from './connection-state.ts';

interface ReconnectingSocket {
  readonly state: ConnectionState;
  /** Drops the message if the connection isn't open. */
  post(message: ClientMessage): void;
  /** The server sent its welcome. */
  welcomed(): void;
  /** Ends the pause before the next attempt. */
  retryNow(): void;
  closeForGood(why: string, code?: string): void;
}

interface SocketSettings {
  readonly urls: BaseUrls;
  readonly quietMs: number;
  readonly patienceMs: number;
  readonly firstRetryMs: number;
  readonly mostRetryMs: number;
  readonly random: () => number;
  readonly Socket: typeof globalThis.WebSocket;
}

interface SocketHooks {
  /** The first message of every connection. */
  readonly hello: () => ClientMessage | Promise<ClientMessage>;
  readonly onMessage: (message: ServerMessage) => void;
  readonly onState: (state: ConnectionState) => void;
  /** Followed sessions no longer receive updates. */
  readonly onCut: () => void;
}

export function createReconnectingSocket(settings: SocketSettings, hooks: SocketHooks): ReconnectingSocket {
  const { urls, quietMs, patienceMs, firstRetryMs, mostRetryMs, random, Socket } = settings;
  let state: ConnectionState = { type: 'connecting', attempt: 1 };
  let socket: WebSocket | undefined;
  let attempt = 0;
  let connectedTo = '';
  let watch: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function become(next: ConnectionState): void {
    state = next;
    hooks.onState(next);
  }

  function post(message: ClientMessage): void {
    if (state.type === 'open') socket?.send(JSON.stringify(message));
  }

  function open(): void {
    attempt += 1;
    become({ type: 'connecting', attempt });
    const url = urls.current;
    const made = new Socket(`${url.replace(/^http/, 'ws')}/ws`);
    connectedTo = url;
    socket = made;
    expectWord(patienceMs, 'the server did not answer');
    const isOurs = () => socket === made;
    made.addEventListener('open', () => {
      Promise.resolve(hooks.hello()).then(
        (hello) => {
          if (isOurs()) made.send(JSON.stringify(hello));
        },
        (error: unknown) => {
          if (isOurs()) broke(`no token: ${error instanceof Error ? error.message : String(error)}`);
        },
      );
    });
    made.addEventListener('message', ({ data }: { data: unknown }) => {
      if (!isOurs()) return;
      expectWord(quietMs, '');
      const message = messageIn(String(data));
      if (message === undefined) broke('the server sent no message of Rondo');
      else hooks.onMessage(message);
    });
    made.addEventListener('close', ({ reason }: { reason: string }) => {
      if (isOurs()) broke(reason === '' ? 'the connection was lost' : reason);
    });
    // `close` follows with the reason.
    made.addEventListener('error', () => undefined);
  }

  /** Expects a message within this time; a quiet server gets a ping first. */
  function expectWord(within: number, why: string): void {
    clearTimeout(watch);
    watch = setTimeout(() => {
      if (state.type === 'open' && why === '') {
        post({ v: 1, type: 'ping' });
        expectWord(patienceMs, 'the server went silent');
      } else broke(why);
    }, within);
  }

  function leave(): void {
    clearTimeout(watch);
    const gone = socket;
    socket = undefined;
    gone?.close();
  }

  function broke(why: string): void {
    leave();
    if (state.type === 'closed') return;
    hooks.onCut();
    urls.leave(connectedTo);
    const wait = backoffMs(Math.max(1, attempt), { firstMs: firstRetryMs, mostMs: mostRetryMs, random });
    become({ type: 'waiting', attempt, until: Date.now() + wait, why });
    retry = setTimeout(open, wait);
  }

  open();
  return {
    get state() {
      return state;
    },
    post,
    welcomed() {
      attempt = 0;
      become({ type: 'open' });
    },
    retryNow() {
      if (state.type !== 'waiting') return;
      clearTimeout(retry);
      open();
    },
    closeForGood(why, code) {
      if (state.type === 'closed') return;
      clearTimeout(retry);
      become({ type: 'closed', why, ...optional({ code }) });
      leave();
      hooks.onCut();
    },
  };
}

/** Undefined if another program than Rondo listens at the address. */
function messageIn(text: string): ServerMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'type' in value ? (value as ServerMessage) : undefined;
  } catch {
    return undefined;
  }
}
