/**
 * Clients of a soak. Each notes what it received of one session: every event, and gaps that the server announced
 * because the client read too slowly.
 */
import { WebSocket as RawSocket } from 'ws';

import { createClient, type SessionUpdate } from '../../src/client/client.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import type { ServerMessage } from '../../src/protocol/server-message.ts';

export interface SoakReader {
  /** True if it received everything up to here. */
  hasReached(seq: number): boolean;
  /** Differences between its events and the journal; empty if there are none. */
  differencesFrom(journal: readonly { readonly seq: number; readonly type: string }[]): readonly string[];
  /** Cuts its connection, or stops it reading for a while. */
  disturb(): void;
  stop(): void;
}

export interface ReaderPlace {
  readonly url: string;
  readonly token: string;
  readonly session: SessionId;
}

/** A program's client, whose connection breaks now and then. */
export function followWithClient({ url, token, session }: ReaderPlace): SoakReader {
  const told = createTold();
  const sockets: WebSocket[] = [];
  const client = createClient({
    url,
    token,
    firstRetryMs: 20,
    mostRetryMs: 200,
    WebSocket: class extends WebSocket {
      constructor(...given: ConstructorParameters<typeof WebSocket>) {
        super(...given);
        sockets.splice(0, sockets.length, this);
      }
    },
  });
  client.follow(session, { update: (one) => told.note(one) }, { after: 0 });
  return { ...told, stop: () => client.close(), disturb: () => sockets[0]?.close() };
}

/** Sometimes stops reading for a while, and resumes from its position when its connection breaks. */
export function followSlowly({ url, token, session }: ReaderPlace): SoakReader {
  const told = createTold();
  let isStopped = false;
  let seen = 0;
  let socket: RawSocket;
  function connect(): void {
    socket = new RawSocket(`${url.replace('http', 'ws')}/ws`);
    socket.on('open', () => {
      socket.send(JSON.stringify({ v: 1, type: 'hello', token }));
      socket.send(JSON.stringify({ v: 1, type: 'session.follow', session, after: seen }));
    });
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as ServerMessage;
      told.note(message);
      if (message.type === 'event' || message.type === 'snapshot') seen = Math.max(seen, message.seq);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (!isStopped) setTimeout(connect, 50);
    });
  }
  connect();
  return {
    ...told,
    stop() {
      isStopped = true;
      socket.terminate();
    },
    disturb() {
      socket.pause();
      setTimeout(() => socket.resume(), 700);
    },
  };
}

function createTold() {
  const events = new Map<number, string>();
  const gaps: { readonly from: number; readonly to: number }[] = [];
  const problems: string[] = [];
  return {
    note(one: ServerMessage | SessionUpdate): void {
      if (one.type === 'gap') gaps.push({ from: one.from, to: one.to });
      if (one.type !== 'event') return;
      if (events.has(one.seq)) problems.push(`event ${one.seq} came twice`);
      events.set(one.seq, one.event.type);
    },
    hasReached: (seq: number) => events.has(seq) || gaps.some(({ to }) => to >= seq),
    differencesFrom(journal: readonly { readonly seq: number; readonly type: string }[]): readonly string[] {
      const isMissing = (seq: number) => gaps.some(({ from, to }) => from <= seq && seq <= to);
      const wrong = journal.flatMap(({ seq, type }) => {
        const seen = events.get(seq);
        if (seen === type || (seen === undefined && isMissing(seq))) return [];
        return [`event ${seq} is ${type}, seen was ${seen ?? 'nothing'}`];
      });
      const known = new Set(journal.map(({ seq }) => seq));
      const invented = [...events.keys()].flatMap((seq) =>
        known.has(seq) ? [] : [`event ${seq} is in no journal`],
      );
      return [...problems, ...wrong, ...invented];
    },
  };
}
